/** Advances a build after one of its stages changed (docs/api §5.4 "downstream", "build final"). */
import { isDone, isFailed } from '@flightdeck/api'
import { findBuild, updateBuild } from '../store/builds.ts'
import type { Db } from '../store/open.ts'
import { readGraph, releaseStages, skipStages, type StageNode } from '../store/stage-graph.ts'
import { required } from './context.ts'
import { restartText } from '../interfaces/runner.ts'

/** The waiting stages to evaluate: those that need this stage, this stage, or all. */
export type Which = { needs: string } | { id: number } | 'all'

/** Drone treats a declined stage as finished and runs the stages that need it. */
const holds = ({ status }: StageNode): boolean => !isDone(status)

interface Graph {
  /** Waiting stages by dependency, once for each mention. */
  waiters: ReadonlyMap<string, readonly StageNode[]>
  /** What each waiting stage still waits for. */
  left: Map<StageNode, number>
  /** Waiting stages that need one that was declined. */
  lost: ReadonlySet<StageNode>
}

/**
 * Reads each name of each list once: a build may have 1,000 stages, and files of old builds 90,000
 * dependencies.
 */
function graphOf(nodes: readonly StageNode[]): Graph {
  const openByName = new Map<string, number>()
  const declined = new Set<string>()
  for (const node of nodes) {
    if (holds(node)) openByName.set(node.name, (openByName.get(node.name) ?? 0) + 1)
    if (node.status === 'declined') declined.add(node.name)
  }
  const waiters = new Map<string, StageNode[]>()
  const left = new Map<StageNode, number>()
  const lost = new Set<StageNode>()
  for (const node of nodes) {
    if (node.status !== 'waiting_on_dependencies') continue
    let open = 0
    for (const need of node.needs) {
      open += openByName.get(need) ?? 0
      if (declined.has(need)) lost.add(node)
      const list = waiters.get(need)
      if (list) list.push(node)
      else waiters.set(need, [node])
    }
    left.set(node, open)
  }
  return { waiters, left, lost }
}

const firstOf = (nodes: readonly StageNode[], graph: Graph, which: Which): readonly StageNode[] => {
  if (which === 'all') return [...graph.left.keys()]
  if ('needs' in which) return graph.waiters.get(which.needs) ?? []
  return nodes.filter(({ id }) => id === which.id)
}

/**
 * Evaluates the waiting stages that `which` selects, then those that need a skipped stage, in
 * memory. Updates the statuses of the nodes and returns the changed ones.
 */
function decide(
  nodes: readonly StageNode[],
  which: Which,
  runs: (stage: StageNode) => boolean,
): { skipped: StageNode[]; released: StageNode[] } {
  const graph = graphOf(nodes)
  const skipped: StageNode[] = []
  const released: StageNode[] = []
  const skip = (node: StageNode): void => {
    node.status = 'skipped'
    skipped.push(node)
  }
  const waits = ({ status }: StageNode): boolean => status === 'waiting_on_dependencies'
  const waitersOf = ({ name }: StageNode): readonly StageNode[] => graph.waiters.get(name) ?? []

  // Stages that depend on a declined stage, directly or not, are skipped whatever else they wait
  // for.
  for (const node of firstOf(nodes, graph, which)) if (waits(node) && graph.lost.has(node)) skip(node)
  // The loop appends to the list that it iterates over.
  for (const node of skipped) for (const waiter of waitersOf(node)) if (waits(waiter)) skip(waiter)

  const next: StageNode[] = []
  const over = (node: StageNode): void => {
    for (const waiter of waitersOf(node)) {
      graph.left.set(waiter, (graph.left.get(waiter) ?? 0) - 1)
      next.push(waiter)
    }
  }
  skipped.forEach(over)
  next.unshift(...firstOf(nodes, graph, which))
  for (const node of next) {
    if (!waits(node) || (graph.left.get(node) ?? 0) > 0) continue
    if (runs(node)) {
      node.status = 'pending'
      released.push(node)
    } else {
      skip(node)
      over(node)
    }
  }
  return { skipped, released }
}

/**
 * Starts or skips waiting stages, and ends the build if none is left. Returns true if no stage is
 * running any more. `which` selects the waiting stages that may start now. Builds of any size take
 * one read and one write statement.
 */
export const advanceBuild = async (db: Db, buildId: number, now: number, which: Which = 'all'): Promise<boolean> => {
  const nodes = await readGraph(db, buildId, restartText)
  const build = required(await findBuild(db, buildId))
  // A failed stage anywhere in the build counts, not only among those that are needed.
  const failures = nodes.filter(({ status }) => isFailed(status))
  const [first] = failures
  // A restart of one stage runs despite earlier failures of other stages, which decided what waits
  // here (`planStageRerun`); a failure in this build itself counts as usual.
  const inSpite = build.again && 'stage' in build.again && failures.every((node) => node.isReused)
  const runs = (node: StageNode): boolean =>
    first ? node.onFailure || (Boolean(inSpite) && node.onSuccess) : node.onSuccess
  const { skipped, released } = decide(nodes, which, runs)
  const ids = (some: readonly StageNode[]) => some.map(({ id }) => id)
  await skipStages(db, ids(skipped), now)
  await releaseStages(db, ids(released), now)

  const isAtWork = nodes.some(({ status }) => status === 'pending' || status === 'running')
  if (isDone(build.status)) return !isAtWork
  // A partly declined build cannot end with another status.
  if (nodes.some((node) => holds(node) || node.status === 'declined')) return false
  // A failed stage that is reused from another build counts as a failure, whatever its end reason.
  const failure = first?.isReused ? 'failure' : first?.status
  const status = failure ?? 'success'
  // The restart is not the pipeline's fault, so lists that show only the build must show it as
  // well.
  const restarted = nodes.some((node) => node.hasError && !node.isReused) && { error: restartText }
  // A runner ends a stage that has reached its time limit (docs/api §5.7 "timeout").
  const limit = status === 'killed' && { canceled: now }
  await updateBuild(db, { ...build, ...restarted, ...limit, status, started: build.started || now, finished: now })
  return true
}
