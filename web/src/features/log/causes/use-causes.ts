import type { Build, Step } from '@flightdeck/api'
import { useEffect, useEffectEvent, useState } from 'react'

import { useAddress } from '../../../browser/navigation.tsx'
import { useKeys } from '../../../browser/use-keys.ts'
import type { Cause } from '../engine/causes.ts'
import type { Log } from '../source/use-log.ts'
import type { StepAddress } from '../step/step-address.ts'
import { useReading, type ReadingStore } from '../reading/reading-store.ts'
import type { Reading } from '../reading/reading.ts'
import { exitCodeOf, cacheCauses } from './cause-query.ts'
import { knownLines } from '../baseline/known-lines.ts'
import { rememberCause } from './remember.ts'
import { nextCause } from './next-cause.ts'
import { useWorkerQuery } from '../source/use-worker-query.ts'

export interface CausesOptions {
  address: StepAddress
  build: Build | undefined
  step: Step | undefined
  log: Log
  reading: ReadingStore
  /** The step was opened by a click or key because it failed. */
  whole: boolean
  streaming: boolean
  goTo: (line: number) => void
}

export interface Causes {
  /** Most relevant first. */
  list: readonly Cause[]
  /** The line that was visited last. */
  at: number | undefined
  move: (way: 1 | -1) => void
}

const none: readonly Cause[] = []
const goalOf = ({ goal }: Reading): number | undefined => goal?.line
const hasBroken = (step: Step | undefined): boolean => step?.status === 'failure' || step?.status === 'error'

/** The error lines of the step, and the keys to move between them. */
export const useCauses = ({ address, build, step, log, reading, whole, streaming, goTo }: CausesOptions): Causes => {
  const { store, stats, phase } = log
  const { hash } = useAddress()
  const [list, setList] = useState(none)
  const at = useReading(reading, goalOf)
  // A user who watched the step fail stays at the visible lines.
  const [sawItRun, setSawItRun] = useState(streaming)
  if (streaming && !sawItRun) setSawItRun(true)
  const isOver = hasBroken(step) && !step?.ended && (phase === 'ready' || phase === 'failed')
  useWorkerQuery(
    isOver ? `${phase} ${stats.version} ${stats.lines}` : undefined,
    async () => (stats.lines > 0 ? store.causes(exitCodeOf(step), await knownLines(address)) : none),
    (causes) => {
      setList(causes)
      cacheCauses(address, { causes })
      rememberCause(build, step, address, causes[0])
    },
  )
  const land = useEffectEvent((line: number | undefined) => {
    reading.dispatch({ type: 'asked for all' })
    if (line !== undefined && !hash && !sawItRun && reading.get().follow) reading.dispatch({ type: 'led to', line })
  })
  const first = list[0]?.index
  useEffect(() => {
    if (whole) land(first)
  }, [whole, first])
  const move = (way: 1 | -1): void => {
    const next = nextCause(list, at, way)
    if (!next) return
    goTo(next.index)
  }
  useKeys((key) => {
    if (key === 'e' || key === 'Shift+e') move(key === 'e' ? 1 : -1)
  })
  return { list, at, move }
}
