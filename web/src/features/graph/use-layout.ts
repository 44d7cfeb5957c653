import { startTransition, useEffect, useMemo, useState } from 'react'

import { edgesOf, idOf, type GraphItem } from './layout/edges.ts'
import { layoutGraph, type GraphLayout, type LayoutInput } from './layout/layout.ts'
import { connectWorker } from '../../browser/worker.ts'

/**
 * architecture.md: "layout in a worker above 60 nodes"; on a slow machine 30 can be felt already.
 */
const maxNodesHere = 24

/** Changes only with the graph's shape, not with a status or time. */
const shapeOf = (items: readonly GraphItem[]): string =>
  JSON.stringify({ ids: items.map(idOf), edges: edgesOf(items) } satisfies LayoutInput)

interface Work {
  shape: string
  layout: Promise<GraphLayout>
  /** The layout, once it is computed. */
  done?: GraphLayout
  stop: () => void
}

const layOut = (shape: string): Work => {
  const worker = new Worker(new URL('./layout/layout-worker.ts', import.meta.url), { type: 'module' })
  const layout = new Promise<GraphLayout>((resolve, reject) => {
    const onLayout = (layout: GraphLayout): void => {
      resolve(layout)
      talk.stop()
    }
    const talk = connectWorker<{ to: LayoutInput; from: GraphLayout }>(worker, onLayout, reject)
    talk.post(JSON.parse(shape))
  })
  const work: Work = { shape, layout, stop: () => worker.terminate() }
  // A failed prefetch is not reported.
  layout.then(
    (done) => (work.done = done),
    () => undefined,
  )
  return work
}

let prepared: Work | undefined

/**
 * Layouts of small graphs, computed in advance: the stages and the steps that may be opened next.
 */
const preparedHere = new Map<string, GraphLayout>()
const maxPrepared = 4

/** Computes a layout in advance, since it takes a moment; large graphs use a worker. */
export const prepareLayout = (items: readonly GraphItem[]): void => {
  const shape = shapeOf(items)
  if (items.length <= maxNodesHere) {
    if (items.length === 0 || preparedHere.has(shape)) return
    if (preparedHere.size >= maxPrepared) preparedHere.clear()
    preparedHere.set(shape, layoutGraph(JSON.parse(shape)))
    return
  }
  if (prepared?.shape === shape) return
  prepared?.stop()
  prepared = layOut(shape)
}

/**
 * The positions of nodes and edges; undefined while a large graph is laid out for the first time.
 */
export const useLayout = (items: readonly GraphItem[]): GraphLayout | undefined => {
  const shape = shapeOf(items)
  const small = items.length <= maxNodesHere
  const localLayout = useMemo(
    () => (small ? (preparedHere.get(shape) ?? layoutGraph(JSON.parse(shape))) : undefined),
    [small, shape],
  )
  // A prepared layout can already be available.
  const [workerLayout, setThere] = useState(() => (prepared?.shape === shape ? prepared.done : undefined))
  const [broken, setBroken] = useState<Error>()
  useEffect(() => {
    if (small) return undefined
    const work = prepared?.shape === shape ? prepared : layOut(shape)
    if (work === prepared) prepared = undefined
    let isCurrent = true
    // Hundreds of nodes are rendered in slices, so that the page stays responsive.
    work.layout.then(
      (layout) => {
        if (isCurrent) startTransition(() => setThere(layout))
      },
      (error: Error) => {
        if (isCurrent) setBroken(error)
      },
    )
    return () => {
      isCurrent = false
      work.stop()
    }
  }, [small, shape])
  // The region's error boundary shows the error and Retry.
  if (broken) throw broken
  return small ? localLayout : workerLayout
}
