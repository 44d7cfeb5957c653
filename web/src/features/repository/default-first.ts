import type { Build } from '@flightdeck/api'

/** The build of the default branch before all others, which keep their order. */
export const defaultFirst = (builds: readonly Build[], defaultBranch: string): readonly Build[] => {
  const first = builds.findIndex(({ target }) => target === defaultBranch)
  const found = builds[first]
  return found === undefined || first === 0 ? builds : [found, ...builds.filter((build) => build !== found)]
}
