import { startTransition, useEffect, useMemo, useState } from 'react'

import { edgesOf, idOf, type GraphItem } from '../../lib/graph/edges.ts'
import { layoutGraph, type GraphLayout, type LayoutInput } from '../../lib/graph/layout.ts'

/** architecture.md: "layout in a worker above 60 nodes"; on a slow machine 30 can be felt already. */
const mostHere = 24

/** Changes only when the graph's shape does, not when a status or a time does. */
const shapeOf = (items: readonly GraphItem[]): string =>
  JSON.stringify({ ids: items.map(idOf), edges: edgesOf(items) } satisfies LayoutInput)

const makeWorker = (): Worker => new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
let spare: Worker | undefined

/** Somebody is about to look at a large graph: its worker needs a moment to start. */
export const prepareLayout = (items: number): void => {
  if (items > mostHere) spare ??= makeWorker()
}

/** The places of nodes and edges; undefined while a large graph is being laid out for the first time. */
export const useLayout = (items: readonly GraphItem[]): GraphLayout | undefined => {
  const shape = shapeOf(items)
  const small = items.length <= mostHere
  const here = useMemo(() => (small ? layoutGraph(JSON.parse(shape)) : undefined), [small, shape])
  const [there, setThere] = useState<GraphLayout>()
  useEffect(() => {
    if (small) return undefined
    const worker = spare ?? makeWorker()
    spare = undefined
    // Hundreds of nodes are drawn in slices, so that the page answers meanwhile.
    worker.addEventListener('message', (event: MessageEvent<GraphLayout>) =>
      startTransition(() => setThere(event.data)),
    )
    worker.postMessage(JSON.parse(shape))
    return () => worker.terminate()
  }, [small, shape])
  return small ? here : there
}
