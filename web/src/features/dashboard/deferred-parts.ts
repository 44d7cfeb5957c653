/**
 * The parts of the dashboard that load at the first input, in one file: they are not part of the
 * first load.
 */
import { useReducer } from 'react'

import { lazyPart } from '../../browser/lazy-part.tsx'
import { useDelay } from '../../browser/use-delay.ts'

type Tools = typeof import('./list-tools.tsx')

let startLoading = (): void => undefined
let loading: Promise<void> | undefined
/** Resolves at the first input, or when `startLoading` is called. */
const firstInput = (): Promise<void> =>
  (loading ??= new Promise((resolve) => {
    startLoading = resolve
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel'])
      addEventListener(type, startLoading, { once: true, passive: true, capture: true })
  }))

// An input before the first rows counts as well. Unit tests have no window.
if ('addEventListener' in globalThis) void firstInput()

let tools: Tools | undefined
const load = async (): Promise<Tools> => {
  await firstInput()
  return (tools ??= await import('./list-tools.tsx'))
}

export const SortField = lazyPart(async () => (await load()).SortField)
export const StatusStrip = lazyPart(async () => (await load()).StatusStrip)
export const RowEnd = lazyPart(async () => (await load()).RowEnd)

/** The controls that sort and filter the list, once loaded; requested immediately if `isNeeded`. */
export const useTools = (isNeeded: boolean): Tools | undefined => {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useDelay(isNeeded && !tools ? true : undefined, 0, () => {
    void load().then(redraw)
    startLoading()
  })
  return tools
}
