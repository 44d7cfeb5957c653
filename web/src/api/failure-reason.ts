/**
 * Why a build failed, for list rows: from the server, or from a console that was opened since the
 * page was loaded.
 */
import type { Build, BuildCause, Repo } from '@flightdeck/api'

import { paths } from '../lib/paths.ts'
import { reasonOf, type Reason } from '../lib/reason.ts'
import { buildTitle } from '../lib/text.ts'
import { queryClient } from './query-client.ts'

export type SeenCause = Omit<BuildCause, 'stage_name'>
/** By the build's id. */
export type SeenCauses = ReadonlyMap<number, SeenCause>

/** Stored in the query cache, so that it is cleared on sign-out. */
export const seenKey = ['seen causes']

const causeOf = ({ id, cause }: Build): SeenCause | undefined =>
  cause ?? queryClient.getQueryData<SeenCauses>(seenKey)?.get(id)

export const failureReasonOf = (build: Build): Reason | undefined => {
  const cause = causeOf(build)
  return reasonOf(build) ?? (cause && { text: `${cause.step_name}: ${cause.text}` })
}

/** The URL of the build, or of the error line if known. */
export const failureHrefOf = (namespace: string, name: string, build: Build): string => {
  const cause = causeOf(build)
  return paths.build(namespace, name, build.number, cause?.stage, cause?.step) + (cause ? `#L${cause.line}` : '')
}

/** Shown instead of a build for a repository without builds. */
export const noBuildText = ({ active }: Repo): string => (active ? 'No builds yet' : 'Not active')

/** The second line of a repository's row, as one text. */
export const rowSummaryOf = (repo: Repo): string => {
  const { build } = repo
  if (!build) return noBuildText(repo)
  const reason = failureReasonOf(build)
  return `#${build.number} ${reason ? `${reason.text} · ` : ''}${buildTitle(build)}`
}
