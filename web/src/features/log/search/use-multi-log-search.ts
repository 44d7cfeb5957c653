import type { Build, Query } from '@flightdeck/api'
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'

import { hasCapability } from '../../../api/capabilities.ts'
import { useDelay } from '../../../browser/use-delay.ts'
import type { StepAddress } from '../step/step-address.ts'
import type { MultiLogScope, MultiLogSearch, MultiLogSearchState } from './multi-log-search.ts'
import { oneBuild } from './one-build.ts'
import { savedBuilds } from './saved-builds.ts'
import { runningIn, searchedSteps } from './searched-steps.ts'
import { serverSearch } from './server-search.ts'

/** Shared between the consoles of successive steps, with its logs and results. */
let shared: { key: string; search: MultiLogSearch; users: number } | undefined

const isOwn = (): boolean => hasCapability('log_search')

const make = (scope: MultiLogScope, { namespace, name, build }: StepAddress): MultiLogSearch => {
  if (scope === 'builds') return isOwn() ? serverSearch({ namespace, name }) : savedBuilds({ namespace, name })
  return isOwn() ? serverSearch({ namespace, name, build }) : oneBuild()
}

const searchOf = (scope: MultiLogScope, address: StepAddress): MultiLogSearch => {
  const { namespace, name, build } = address
  const key = scope === 'builds' ? `${namespace}/${name}` : `${namespace}/${name}/${build}`
  if (shared?.key !== key) {
    shared?.search.stop()
    shared = { key, search: make(scope, address), users: 0 }
  }
  return shared.search
}

/**
 * Ends the search if no component uses it again: the next step's console mounts after the previous
 * one has unmounted.
 */
const hold = (search: MultiLogSearch): (() => void) => {
  const mine = shared
  if (mine?.search !== search) return () => undefined
  mine.users++
  return () => {
    mine.users--
    setTimeout(() => {
      if (shared !== mine || mine.users > 0) return
      mine.search.stop()
      shared = undefined
    }, 1000)
  }
}

const subscribeTo = (search: MultiLogSearch, listener: () => void): (() => void) => {
  const release = hold(search)
  const leave = search.subscribe(listener)
  return () => {
    leave()
    release()
  }
}

export interface MultiLogSearchView extends MultiLogSearchState {
  /** The number of running steps, whose logs are not searched. */
  running: number
  interrupt: () => void
}

/**
 * The search beyond the open log, for a component that remounts for each step and scope (`key`).
 * Typing is debounced.
 */
export const useMultiLogSearch = (
  address: StepAddress,
  build: Build | undefined,
  query: Query,
  scope: MultiLogScope,
): MultiLogSearchView => {
  const [search] = useState(() => searchOf(scope, address))
  const { namespace, name, build: number } = address
  const steps = useMemo(
    () => searchedSteps({ namespace, name, build: number }, build),
    [namespace, name, number, build],
  )
  const request = useMemo(() => ({ steps, query }), [steps, query])
  useDelay(request, 250, (now) => search.look(now.query, now.steps))
  const state = useSyncExternalStore(
    // The search is kept while it is on screen.
    useCallback((listener: () => void) => subscribeTo(search, listener), [search]),
    search.getSnapshot,
  )
  // Flightdeck's own server also searches the log of running steps.
  const running = scope === 'build' && !isOwn() ? runningIn(build) : 0
  return { ...state, running, interrupt: search.interrupt }
}
