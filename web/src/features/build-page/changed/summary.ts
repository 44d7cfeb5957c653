/** A one-line summary of the changes. Pure. */
import { plural } from '../../../lib/text.ts'
import { formatDuration } from '../../../lib/duration.ts'
import type { Changes } from './changes-query.ts'

export type SummarizedChanges = Pick<Changes, 'commits' | 'more' | 'without' | 'file' | 'differences'>

/**
 * The smallest change of duration that is mentioned, in seconds and as a share of the earlier one.
 */
const minSeconds = 5
const share = 0.2

const names = (all: readonly string[]): string => {
  const [first = '', second, ...others] = [...new Set(all.filter(Boolean))]
  if (second === undefined) return first
  return others.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${others.length} more`
}

const commitsOf = ({ commits, more, without = 0 }: SummarizedChanges): string[] => {
  const lost = without > 0 ? [`${plural(without, 'commit')} fewer`] : []
  if (!commits) return lost
  if (commits.length === 0) return lost.length > 0 ? lost : ['the same commit']
  const by = names(commits.map(({ author }) => author))
  const count = more ? `${commits.length}+ commits` : plural(commits.length, 'commit')
  return [by ? `${count} by ${by}` : count, ...lost]
}

/** For example `+12s`; undefined if it took about as long. */
export const slowdownText = (duration: Changes['differences']['duration']): string | undefined => {
  if (!duration) return undefined
  const more = duration.after - duration.before
  if (Math.abs(more) < minSeconds || Math.abs(more) < share * duration.before) return undefined
  return `${more > 0 ? '+' : '−'}${formatDuration(Math.abs(more))}`
}

export const summaryOf = (changes: SummarizedChanges): string => {
  const { params, runner, duration } = changes.differences
  const time = slowdownText(duration)
  return [
    ...commitsOf(changes),
    ...(changes.file?.same === false ? ['pipeline file'] : []),
    ...(params.length > 0 ? [plural(params.length, 'parameter')] : []),
    ...(runner && !runner.same ? ['different runner'] : []),
    ...(time ? [time] : []),
  ].join(' · ')
}
