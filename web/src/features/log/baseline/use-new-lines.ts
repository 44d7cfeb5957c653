import type { Build, Stage, Step } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { errorText, queryClient } from '../../../api/query-client.ts'
import { useCapability } from '../../../api/capabilities.ts'
import { useMe } from '../../../api/session.ts'
import { knownQuery, type Baseline } from './known-lines.ts'
import type { Log } from '../source/use-log.ts'
import type { StepAddress } from '../step/step-address.ts'
import { useWorkerQuery } from '../source/use-worker-query.ts'
import { comparedQuery, loadedBaseline, type Progress } from './compare.ts'
import { NoBaselineError } from './baseline-run.ts'

export interface NewLinesOptions {
  address: StepAddress
  build: Build | undefined
  stage: Stage | undefined
  step: Step | undefined
  log: Log
}

/** The state of the comparison with the last successful run. */
export type NewLines =
  /** Nothing to compare: the step didn't fail on its own, is running, or has no log. */
  | { state: 'none' }
  /** Waiting for Flightdeck's own server, or comparing. */
  | { state: 'waiting' }
  /**
   * The step has never passed, or its last successful run is no longer available; `words` explains
   * it.
   */
  | { state: 'without'; words: string; again?: () => void }
  /** On other servers, the comparison runs only on request. */
  | { state: 'offered'; build: number | undefined; compare: () => void }
  | { state: 'reading'; progress: Progress | undefined; stop: () => void }
  | { state: 'known'; run: Baseline; lines: Uint32Array }

const noBaselineText = 'No successful run of this step to compare with'
const isFailed = (step: Step | undefined): boolean =>
  (step?.status === 'failure' || step?.status === 'error') && !step.ended

const failed = (error: unknown, again: () => void): NewLines => ({
  state: 'without',
  words: `The comparison failed: ${errorText(error)}`,
  again,
})

/** The comparison on request, for servers other than Flightdeck. */
const useCompared = ({ address, build, stage, step }: NewLinesOptions) => {
  const [progress, onProgress] = useState<Progress>()
  const names = { stage: stage?.name ?? '', step: step?.name ?? '' }
  const options = comparedQuery({ address, build, names, onProgress })
  const query = useQuery(options)
  return {
    ...query,
    progress,
    compare: () => {
      onProgress(undefined)
      void query.refetch()
    },
    stop: () => void queryClient.cancelQueries({ queryKey: options.queryKey }),
  }
}

/** The lines of a failed step that its last successful run did not have. */
export const useNewLines = (options: NewLinesOptions): NewLines => {
  const { address, build, step, log } = options
  const { store, stats, phase } = log
  const me = useMe()
  const isOwn = useCapability('known_lines')
  const isRead = phase === 'ready' || phase === 'failed'
  const isOver = isFailed(step) && isRead && stats.lines > 0
  const baseline = useQuery({ ...knownQuery(address), enabled: isOver && isOwn })
  const compared = useCompared(options)
  const run = (isOwn ? baseline.data : compared.data) ?? undefined
  const [found, setFound] = useState<{ of: string; lines: Uint32Array }>()
  const of = `${phase} ${stats.version} ${stats.lines} ${run?.build}`
  useWorkerQuery(
    isOver && run ? of : undefined,
    async () => (run ? store.newLines(run.print) : new Uint32Array(0)),
    (lines, key) => setFound({ of: key, lines }),
  )
  if (!isFailed(step) || (isRead && stats.lines === 0)) return { state: 'none' }
  if (!isOver || !build || !me) return { state: 'waiting' }
  if (run) return found?.of === of ? { state: 'known', run, lines: found.lines } : { state: 'waiting' }
  if (isOwn && baseline.data === null) return { state: 'without', words: noBaselineText }
  if (isOwn)
    return baseline.isError && !baseline.isFetching
      ? failed(baseline.error, () => void baseline.refetch())
      : { state: 'waiting' }
  const { error, isFetching, progress, compare, stop } = compared
  if (isFetching) return { state: 'reading', progress, stop }
  if (error instanceof NoBaselineError) return { state: 'without', words: error.message }
  if (error) return failed(error, compare)
  return { state: 'offered', build: loadedBaseline(address, build), compare }
}
