export { StepHistory } from './step-history.tsx'
