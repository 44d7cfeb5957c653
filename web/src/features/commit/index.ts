export { printAnchor } from './anchor.ts'
export { ChangedFiles } from './changed-files.tsx'
