/** The reasons of waiting stages, each with its sentence: nobody else words one. */
import type { RunnerNeeds, Waiting } from '@flightdeck/api'
import type { StageFilter } from '../../pipeline/queue.ts'

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (number: number): string => `${number}${endings[ordinals.select(number)] ?? 'th'}`

const joined = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
/** Whoever may push names his stages, and may have a thousand. */
const mostNamed = 5
const longestName = 60
const cut = (text: string): string => (text.length > longestName ? `${text.slice(0, longestName)}…` : text)
const someOf = (all: readonly string[]): string => {
  const names = all.slice(0, mostNamed).map(cut)
  return all.length <= mostNamed ? joined(names) : `${names.join(', ')} and ${all.length - mostNamed} more`
}

/** Of labels and of stages. */
const mostTold = 20

/** What stands in a stage or filter, without what is empty, as far as people read. */
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
        .slice(0, mostTold)
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

export const approval = (): Waiting => ({ reason: 'approval', text: 'Waits for approval by a writer' })

export const dependency = (stages: string[]): Waiting => ({
  reason: 'dependency',
  text: `Waits for ${someOf(stages)}`,
  stages: stages.slice(0, mostTold),
})

export const paused = (): Waiting => ({ reason: 'paused', text: 'The queue is paused' })

export const noRunner = (stage: StageFilter): Waiting => {
  const needs = needsOf(stage)
  return {
    reason: 'runner',
    text: `Needs a runner of ${needsInWords(needs)}: none has asked in the last minute`,
    needs,
  }
}

export const limited = (scope: 'pipeline' | 'repository', limit: number): Waiting => ({
  reason: 'limit',
  text: `Waits for the limit of its ${scope}: ${limit} at a time`,
  scope,
  limit,
})

/** With free places the first ones only wait for a runner to ask again. */
export const place = (position: number, of: number, busy: number, places: number): Waiting => {
  const soon = position <= places - busy
  const line = `${ordinal(position)} of ${of}, ${busy} of ${places} busy`
  return {
    reason: 'place',
    text: soon ? 'Waits to be taken by a runner that has a free place' : `Waits for a free place: ${line}`,
    position,
    of,
    busy,
    places,
  }
}

export const starting = (machine: string): Waiting => ({
  reason: 'start',
  text: `Taken by ${machine}, which has not begun yet`,
  machine,
})
