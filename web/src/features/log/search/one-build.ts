/**
 * Searches one build with a server that has no log search, through the interface of the multi-log
 * search.
 */
import { halted, type MultiLogSearch, type MultiLogSearchState } from './multi-log-search.ts'
import { BuildSearch, type BuildSearchState } from './build-search.ts'
import { foundSteps } from './saved-builds.ts'

const searchState = (state: BuildSearchState): MultiLogSearchState => ({
  found: foundSteps(state),
  done: state.done,
  total: state.total,
  of: 'steps',
  oldest: undefined,
  unread: state.unread,
  over: state.halted || state.done === state.total,
  error: state.error ?? (state.halted ? halted : undefined),
})

export const oneBuild = (): MultiLogSearch => {
  const search = new BuildSearch()
  let from = search.getSnapshot()
  let state = searchState(from)
  return {
    subscribe: search.subscribe,
    // Returns the same object while nothing has changed.
    getSnapshot() {
      if (from !== search.getSnapshot()) {
        from = search.getSnapshot()
        state = searchState(from)
      }
      return state
    },
    look: (query, steps) => search.search(steps, query),
    interrupt: () => search.interrupt(),
    stop: () => search.stop(),
  }
}
