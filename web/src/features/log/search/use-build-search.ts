import type { Build } from '@flightdeck/api'
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'

import { useDelay } from '../../../browser/use-delay.ts'
import { wantsSavedLog } from '../console-state.ts'
import type { StepAddress } from '../step-address.ts'
import type { Query } from '../engine/query.ts'
import { BuildSearch, type BuildSearchState, type SearchedStep } from './build-search.ts'

/** Goes from the console of one step to that of the next, with the logs that it has read. */
let shared: { build: string; search: BuildSearch; users: number } | undefined

const searchOf = (build: string): BuildSearch => {
  if (shared?.build !== build) {
    shared?.search.stop()
    shared = { build, search: new BuildSearch(), users: 0 }
  }
  return shared.search
}

/** Ends it when nobody comes back for it: the console of the next step is made when that of the last one is gone. */
const hold = (search: BuildSearch): (() => void) => {
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

const heldBy = (search: BuildSearch, listener: () => void): (() => void) => {
  const release = hold(search)
  const leave = search.subscribe(listener)
  return () => {
    leave()
    release()
  }
}

const stepsOf = (address: StepAddress, build: Build | undefined): SearchedStep[] =>
  (build?.stages ?? []).flatMap((stage) =>
    (stage.steps ?? [])
      .filter((step) => wantsSavedLog({ stage, step }))
      .map((step) => ({
        address: { ...address, stage: stage.number, step: step.number },
        label: `${stage.name} / ${step.name}`,
      })),
  )

/** Steps that have no saved log yet. */
const runningIn = (build: Build | undefined): number =>
  (build?.stages ?? []).flatMap((stage) => stage.steps ?? []).filter((step) => step.status === 'running').length

export interface BuildSearchView extends BuildSearchState {
  running: number
}

/** The search over all steps of a build, for a component that is made anew for each step (`key`); without a query it rests. Typing starts it a moment after the last key. */
export const useBuildSearch = (
  address: StepAddress,
  build: Build | undefined,
  query: Query | undefined,
): BuildSearchView => {
  const [search] = useState(() => searchOf(`${address.namespace}/${address.name}/${address.build}`))
  const { namespace, name: repo, build: number } = address
  const steps = useMemo(
    () => stepsOf({ namespace, name: repo, build: number, stage: 1, step: 1 }, build),
    [namespace, repo, number, build],
  )
  const wanted = useMemo(() => query && { steps, query }, [steps, query])
  useDelay(wanted, 250, (now) => search.search(now.steps, now.query))
  const state = useSyncExternalStore(
    // Who looks at it holds it.
    useCallback((listener: () => void) => heldBy(search, listener), [search]),
    search.getSnapshot,
  )
  return { ...state, running: runningIn(build) }
}
