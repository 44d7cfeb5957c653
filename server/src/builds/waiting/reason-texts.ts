/** The texts of all waiting and end reasons; no other module words them. */
import type { Ended, ManagedRunnerState, RunnerNeeds, Waiting } from '@flightdeck/api'
import { isFailed } from '@flightdeck/api'
import type { StageFilter } from '../../pipeline/stage-filter.ts'
import { cut, someOf } from '../../pipeline/short-lists.ts'

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (number: number): string => `${number}${endings[ordinals.select(number)] ?? 'th'}`

/** Of labels and of stages. */
const maxTold = 20

/** The requirements of a stage or filter without empty fields, truncated for display. */
export const needsOf = ({ kind, type, os, arch, variant, kernel, labels = {} }: StageFilter): RunnerNeeds => ({
  ...(kind && kind !== 'pipeline' && { kind: cut(kind) }),
  type: cut(type || 'docker'),
  ...(os && { os: cut(os) }),
  ...(arch && { arch: cut(arch) }),
  ...(variant && { variant: cut(variant) }),
  ...(kernel && { kernel: cut(kernel) }),
  ...(Object.keys(labels).length > 0 && {
    labels: Object.fromEntries(
      Object.entries(labels)
        .slice(0, maxTold)
        .map(([name, value]) => [cut(name), cut(value)]),
    ),
  }),
})

/** `type docker for linux/arm/v7 with the labels zone=a` */
const needsInWords = ({ type, os, arch, variant, kernel, labels = {} }: RunnerNeeds): string => {
  const platform = [os, arch, variant].filter(Boolean).join('/')
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
  return [
    `type ${type}`,
    platform && `for ${platform}`,
    kernel && `with the kernel ${kernel}`,
    pairs.length > 0 && `with the ${pairs.length === 1 ? 'label' : 'labels'} ${someOf(pairs)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

export const approval = (): Waiting => ({ reason: 'approval', text: 'Waiting for approval (needs write access)' })

export const dependency = (stages: string[]): Waiting => ({
  reason: 'dependency',
  text: `Waiting for ${someOf(stages)}`,
  stages: stages.slice(0, maxTold),
})

export const diskFull = (): Waiting => ({
  reason: 'paused',
  text: 'Waiting for space: the disk of the server is nearly full',
})
export const paused = (): Waiting => ({ reason: 'paused', text: 'The queue is paused' })

/**
 * Drone's runners ask for pipelines alone: another kind, such as `Pipeline`, is a slip (docs/api
 * §6.1, §7.4).
 */
export const noRunner = (stage: StageFilter): Waiting => {
  const needs = needsOf(stage)
  const text = needs.kind
    ? `No runner accepts kind “${needs.kind}”; use “kind: pipeline”`
    : `Waiting for a runner of ${needsInWords(needs)}; none is connected`
  return { reason: 'runner', text, needs }
}

/** The managed runner will accept it once it works. */
export const managedRunnerReason = (stage: StageFilter, { state, error }: ManagedRunnerState): Waiting => ({
  reason: 'runner',
  text:
    state === 'starting' || error === undefined
      ? 'Waiting for the Docker runner to start'
      : `Waiting for the Docker runner: ${error.slice(0, maxErrorChars)}`,
  needs: needsOf(stage),
})

export const concurrencyLimited = (scope: 'pipeline' | 'repository', limit: number): Waiting => ({
  reason: 'limit',
  text: `Waiting: this ${scope} is limited to ${limit} at a time`,
  scope,
  limit,
})

/** With free places the first ones only wait for a runner to ask again. */
export const queuePosition = (position: number, of: number, busy: number, slots: number): Waiting => {
  const hasSlot = position <= slots - busy
  const line = `${ordinal(position)} of ${of} (${busy} of ${slots} runner slots busy)`
  return {
    reason: 'place',
    text: hasSlot ? 'Waiting for a runner to pick it up' : `Queued: ${line}`,
    position,
    of,
    busy,
    places: slots,
  }
}

export const starting = (machine: string): Waiting => ({
  reason: 'start',
  text: `Picked up by ${machine}, not started yet`,
  machine,
})

/** For a step without dependencies, or whose runner does not report them. */
export const stepsBefore = (): Waiting => ({ reason: 'dependency', text: 'Waiting for earlier steps' })

const past = (status: string): string => {
  return status !== 'killed' && isFailed(status) ? 'failed' : `was ${status}`
}

export const needs = (name: string, status: string): Ended => ({
  reason: 'needs',
  text: `Skipped: needs ${cut(name)}, which ${past(status)}`,
})
export const failedBefore = (name: string): Ended => ({ reason: 'failure', text: `Skipped: ${cut(name)} failed` })
/** Of a stage's error, which may hold a whole answer of Docker. */
const maxErrorChars = 300
/** The stage broke: no step is to blame. */
export const stageFailed = (error: string): Ended => ({
  reason: 'error',
  text: `Skipped: the stage ended with an error${error === '' ? '' : `: ${error.slice(0, maxErrorChars)}`}`,
})
export const onlyAfterFailure = (): Ended => ({
  reason: 'no-failure',
  text: 'Skipped: runs only on failure',
})
export const endedEarly = (name: string): Ended => ({
  reason: 'early',
  text: `Skipped: ${cut(name)} ended the stage early, with exit code 78`,
})
/** `branch is not main` */
export const conditional = (text: string): Ended => ({ reason: 'condition', text: `Skipped: ${text}` })

interface Word {
  by: string
  at: number
}
export const canceled = ({ by, at }: Word): Ended => ({ reason: 'canceled', text: `Canceled by ${by}`, by, at })
export const declined = ({ by, at }: Word): Ended => ({ reason: 'declined', text: `Declined by ${by}`, by, at })
export const supersededReason = (): Ended => ({ reason: 'superseded', text: 'Canceled: superseded by a newer build' })
export const timedOut = (): Ended => ({ reason: 'timeout', text: 'Stopped: timed out' })
export const restarted = (): Ended => ({ reason: 'restarted', text: 'Interrupted: the server was restarted' })
