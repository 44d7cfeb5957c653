export { RunnerHelp } from './runner-help.tsx'
