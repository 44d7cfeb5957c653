/** Texts of the retention settings. */
import type { Retention, RetentionLimits } from '@flightdeck/api'

import { formatBytes } from '../../lib/bytes.ts'
import { formatNumber, plural } from '../../lib/text.ts'
import type { Choice } from './timeouts.ts'

export type Limit = keyof RetentionLimits

const megabytes = (value: number): string =>
  value % 1000 === 0 ? `${formatNumber(value / 1000)} GB` : `${formatNumber(value)} MB`

const words: Record<Limit, (value: number) => string> = {
  build_days: (value) => plural(value, 'day'),
  builds: (value) => plural(value, 'build'),
  log_days: (value) => plural(value, 'day'),
  log_mb: megabytes,
}

const offered: Record<Limit, readonly number[]> = {
  build_days: [7, 30, 90, 180, 365, 730],
  builds: [100, 500, 1_000, 5_000, 10_000],
  log_days: [7, 30, 90, 180, 365, 730],
  log_mb: [100, 500, 1_000, 5_000, 10_000, 50_000],
}

const inWords = (limit: Limit, value: number): string => (value === 0 ? 'no limit' : words[limit](value))

/** Includes a value that another client set. */
export const limitChoices = (limit: Limit, { own, defaults }: Pick<Retention, 'own' | 'defaults'>): Choice[] => {
  const known = offered[limit]
  const value = own[limit]
  const values =
    value > 0 && !known.includes(value) ? [...known, value].toSorted((first, second) => first - second) : known
  return [
    { value: '-1', label: `Server default (${inWords(limit, defaults[limit])})` },
    { value: '0', label: 'No limit' },
    ...values.map((choice) => ({ value: String(choice), label: words[limit](choice) })),
  ]
}

export const effective = ({ own, defaults }: Pick<Retention, 'own' | 'defaults'>): RetentionLimits => {
  const of = (limit: Limit): number => (own[limit] < 0 ? defaults[limit] : own[limit])
  return { build_days: of('build_days'), builds: of('builds'), log_days: of('log_days'), log_mb: of('log_mb') }
}

/** What the next run removes: one sentence for each limit that removes something. */
export const plannedTexts = (retention: Retention): string[] => {
  const { planned, next } = retention
  if (next === 0) return ['No limit is set: nothing is removed.']
  const limits = effective(retention)
  const texts: string[] = []
  if (planned.old_builds > 0)
    texts.push(
      `${plural(planned.old_builds, 'build')} older than ${words.build_days(limits.build_days)} will be removed tonight.`,
    )
  if (planned.surplus_builds > 0)
    texts.push(
      `${plural(planned.surplus_builds, 'build')} beyond the newest ${formatNumber(limits.builds)} will be removed tonight.`,
    )
  if (planned.old_logs > 0)
    texts.push(
      `The logs of ${plural(planned.old_logs, 'build')} older than ${words.log_days(limits.log_days)} will be removed tonight.`,
    )
  if (limits.log_mb > 0)
    texts.push(`If the logs take more than ${megabytes(limits.log_mb)} tonight, the oldest will be removed.`)
  return texts.length > 0 ? texts : ['Nothing will be removed tonight.']
}

/** What the last run removed. */
export const lastText = ({ builds, logs, bytes, error }: NonNullable<Retention['last']>): string => {
  const removed =
    builds === 0 && logs === 0
      ? 'nothing was removed'
      : `${plural(builds, 'build')} and ${plural(logs, 'log')} were removed, ${formatBytes(bytes)} of logs freed`
  return error === '' ? `${removed}.` : `${removed}. It stopped early and will be retried tonight: ${error}`
}
