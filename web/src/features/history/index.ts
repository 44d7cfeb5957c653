export { StepHistory } from './step-history.tsx'
export { useSameCommit, type SameCommit } from './use-history.ts'
