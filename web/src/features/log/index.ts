export { toneOf, type Tone } from './console-state.ts'
export { Console, type ConsoleProps } from './window/console.tsx'
export { WhatFailed } from './causes/what-failed.tsx'
