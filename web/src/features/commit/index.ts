export { printAnchor } from './anchor.ts'
