export { createFinder, type DecisiveLine, type EndOfStep, type Finder } from './finder.ts'
export { normalise } from './normalise.ts'
