export { createFinder, type DecisiveLine, type EndOfStep, type Finder } from './finder.ts'
export { createFingerprint, readFingerprint, type FingerprintWriter } from './fingerprint.ts'
export { normalise } from './normalise.ts'
export { readable } from './plain.ts'
