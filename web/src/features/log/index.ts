export { Console, type ConsoleProps } from './console.tsx'
export { useNarrow } from './use-narrow.ts'
