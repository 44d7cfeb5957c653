/**
 * Commits that both failed and passed, as far as a list of builds shows. On other servers this is
 * all that is known without a request per build.
 */
import type { Build, StepHistory } from '@flightdeck/api'

const lately = 20
const minRuns = 3

const hasFailed = ({ status }: Build): boolean => status === 'failure' || status === 'error'
const isOver = (build: Build): boolean => hasFailed(build) || build.status === 'success'
/** The inputs of a build besides its commit. */
const givenOf = ({ params, deploy_to }: Build): string =>
  JSON.stringify([Object.entries(params ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)), deploy_to ?? ''])

/** The newest other build of the same commit that passed, with the same parameters and target. */
export const passedWith = (builds: readonly Build[], build: Build): Build | undefined =>
  builds
    .filter(
      (run) =>
        run.status === 'success' &&
        run.number !== build.number &&
        build.after !== '' &&
        run.after === build.after &&
        givenOf(run) === givenOf(build),
    )
    .toSorted((a, b) => b.number - a.number)[0]

/**
 * This build and the earlier ones on its branch; `builds` are the newest ones, in the order of the
 * list.
 */
export const runsOf = (builds: readonly Build[], build: Build): StepHistory['runs'] => {
  const runs = builds
    .filter((candidate) => candidate.ref === build.ref && candidate.number <= build.number && isOver(candidate))
    .toSorted((a, b) => b.number - a.number)
    .slice(0, lately)
  if (runs.length < minRuns) return undefined
  const mixed = new Map<string, { commit: string; failed: number; passed: number }>()
  for (const failed of runs.filter(hasFailed)) {
    const successful = builds.find(
      ({ after, status, ...rest }) =>
        status === 'success' && after === failed.after && givenOf({ ...rest, after, status }) === givenOf(failed),
    )
    if (successful && failed.after && !mixed.has(failed.after))
      mixed.set(failed.after, { commit: failed.after, failed: failed.number, passed: successful.number })
  }
  return { count: runs.length, failed: runs.filter(hasFailed).length, mixed: [...mixed.values()] }
}
