/**
 * Searches the last builds with a server that has no log search: a worker reads and searches their
 * saved logs, newest build first. Logs are not cached.
 */
import { errorMessage } from '../../../lib/error-message.ts'
import type { Build, FoundBuild, Query } from '@flightdeck/api'

import { buildsPerPage } from '@flightdeck/api/client'

import { client } from '../../../api/client.ts'
import { actorOf } from '../../../lib/actor.ts'
import { BuildSearch, type BuildSearchState } from './build-search.ts'
import type { MultiLogSearch, FoundStep } from './multi-log-search.ts'
import { MultiLogSearchStore } from './multi-log-search-store.ts'
import { searchedSteps, type SearchedStep } from './searched-steps.ts'

interface Repository {
  namespace: string
  name: string
}

const aboutOf = (build: Build): FoundBuild => ({
  number: build.number,
  branch: build.target,
  event: build.event,
  created: build.created,
  author: actorOf(build).login,
})

export const foundSteps = ({ found }: BuildSearchState, build?: FoundBuild): FoundStep[] =>
  found.map(({ step, hits }) => ({ ...step, ...hits, ...(build && { build }) }))

const isOver = ({ done, total, error }: BuildSearchState): boolean => done === total || error !== undefined

/** All results of one build; `partly` is called with intermediate results. */
function searchAll(
  search: BuildSearch,
  steps: readonly SearchedStep[],
  query: Query,
  signal: AbortSignal,
  partly: (state: BuildSearchState) => void,
): Promise<BuildSearchState> {
  let leave = (): void => undefined
  return new Promise<BuildSearchState>((resolve) => {
    const searchNext = (): void => {
      const state = search.getSnapshot()
      partly(state)
      if (isOver(state) || signal.aborted) resolve(state)
    }
    leave = search.subscribe(searchNext)
    signal.addEventListener('abort', searchNext, { once: true })
    search.search(steps, query)
  }).finally(() => {
    // Unsubscribe first: updates caused by the reset are not reported.
    leave()
    search.forget()
  })
}

export const savedBuilds = ({ namespace, name }: Repository): MultiLogSearch => {
  const store = new MultiLogSearchStore('builds')

  async function searchBuild(
    search: BuildSearch,
    number: number,
    query: Query,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const build = await client.getBuild(namespace, name, number)
    const steps = searchedSteps({ namespace, name, build: number }, build)
    const about = aboutOf(build)
    const before = store.getSnapshot().found
    if (steps.length === 0 || signal.aborted) return undefined
    const { error, unread } = await searchAll(search, steps, query, signal, (state) =>
      store.update(signal, () => ({ found: [...before, ...foundSteps(state, about)] })),
    )
    store.update(signal, (state) => ({ unread: state.unread + unread }))
    return error
  }

  async function run(query: Query, signal: AbortSignal): Promise<void> {
    const search = new BuildSearch()
    try {
      const builds = await client.listBuilds(namespace, name, { page: 1, per_page: buildsPerPage })
      store.update(signal, () => ({ total: builds.length }))
      for (const { number } of builds) {
        if (signal.aborted) return
        const error = await searchBuild(search, number, query, signal)
        if (error !== undefined) throw new Error(error)
        store.update(signal, ({ done }) => ({ done: done + 1, oldest: number }))
      }
      store.update(signal, () => ({ over: true }))
    } catch (error) {
      store.update(signal, () => ({ over: true, error: errorMessage(error) }))
    } finally {
      search.stop()
    }
  }

  return {
    subscribe: store.subscribe,
    getSnapshot: store.getSnapshot,
    look(query) {
      const signal = store.start(JSON.stringify(query))
      if (signal) void run(query, signal)
    },
    interrupt: () => store.interrupt(),
    stop: () => store.stop(),
  }
}
