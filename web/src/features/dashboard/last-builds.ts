/** The texts of the strip of a repository's last builds. */
import { iconGroup, type IconGroup, type LastBuild } from '@flightdeck/api'

import { formatDuration, isUnfinished, neverRan } from '../../lib/duration.ts'
import { buildTitle } from '../../lib/text.ts'
import { formatRelative } from '../../lib/time.ts'

export const maxBuilds = 12

type Result = Pick<LastBuild, 'status'>

/** The word for a group of statuses; statuses without one are shown unchanged. */
const words: Partial<Record<IconGroup, string>> = { tick: 'passed', cross: 'failed' }
const wordOf = ({ status }: Result): string =>
  words[iconGroup(status)] ?? (status === 'pending' || status === 'blocked' ? 'waiting' : status.replaceAll('_', ' '))

/**
 * `Last 12 builds: 10 passed, 2 failed`: passed and failed first, then the others in order of
 * occurrence.
 */
export const summaryOf = (builds: readonly Result[]): string => {
  const counts = new Map([
    ['passed', 0],
    ['failed', 0],
  ])
  for (const build of builds) counts.set(wordOf(build), (counts.get(wordOf(build)) ?? 0) + 1)
  const parts = [...counts].filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`)
  if (builds.length === 1) return `Last build: ${parts.map((part) => part.slice(2)).join('')}`
  return `Last ${builds.length} builds: ${parts.join(', ')}`
}

const durationOf = ({ status, started, finished }: LastBuild, now: number): string => {
  if (!started || neverRan(status, started, finished)) return ''
  return finished || isUnfinished(status, started, finished) ? formatDuration((finished || now) - started) : ''
}

/** `#412 failed · Fix the parser`, and after it `main · 1m 04s · 2 hours ago`. */
export const linesOf = (build: LastBuild, now: number): { title: string; facts: string } => ({
  title: [`#${build.number} ${wordOf(build)}`, buildTitle(build)].filter(Boolean).join(' · '),
  facts: [build.target, durationOf(build, now), formatRelative(build.created, now)].filter(Boolean).join(' · '),
})
