/** The reused stages of a build. */
import type { Build } from '@flightdeck/api'

/** The maximum number of names in a sentence. */
const maxNames = 3

export interface ReusedStages {
  /** The build in which they ran. */
  number: number
  /** `lint, docs and 4 more` */
  names: string
  count: number
}

/** `lint, docs and test` */
export const namesOf = (names: readonly string[]): string => {
  const rest = names.length - maxNames
  if (rest > 0) return `${names.slice(0, maxNames).join(', ')} and ${rest} more`
  return names.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

/** One entry for each build whose stages are reused, newest first. */
export const listReusedStages = (build: Pick<Build, 'stages'>): ReusedStages[] => {
  const byBuild = new Map<number, string[]>()
  for (const { name, taken_over: number } of build.stages ?? []) {
    // Another server may use this key differently.
    if (typeof number === 'number') byBuild.set(number, [...(byBuild.get(number) ?? []), name])
  }
  return [...byBuild]
    .toSorted(([a], [b]) => b - a)
    .map(([number, names]) => ({ number, names: namesOf(names), count: names.length }))
}
