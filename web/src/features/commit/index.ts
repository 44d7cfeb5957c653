export { printAnchor, readAnchor, type Anchor } from './anchor.ts'
