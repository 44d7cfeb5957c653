/** The parts of the dashboard that come after its first rows, in one file. */
import { useReducer } from 'react'

import { lazyPart } from '../../browser/lazy-part.tsx'
import { useDelay } from '../../browser/use-delay.ts'

type Tools = typeof import('./list-tools.tsx')

let tools: Tools | undefined
const load = async (): Promise<Tools> => (tools ??= await import('./list-tools.tsx'))

export const SortField = lazyPart(async () => (await load()).SortField)
export const StatusStrip = lazyPart(async () => (await load()).StatusStrip)
export const RowStar = lazyPart(async () => (await load()).RowStar)

/** What orders and narrows the list, once it is here; fetched when it is wanted. */
export const useTools = (wanted: boolean): Tools | undefined => {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useDelay(wanted && !tools ? true : undefined, 0, () => void load().then(redraw))
  return tools
}
