/** Why a build failed, as rows of lists tell it: by the server, else by a console that was looked at since the page was opened. */
import type { Build, BuildCause, Repo } from '@flightdeck/api'

import { paths } from '../lib/paths.ts'
import { reasonOf, type Reason } from '../lib/reason.ts'
import { buildTitle } from '../lib/text.ts'
import { queryClient } from './query-client.ts'

export type SeenCause = Omit<BuildCause, 'stage_name'>
/** By the build's id. */
export type SeenCauses = ReadonlyMap<number, SeenCause>

/** In the cache of answers, so that it goes with them when somebody signs out. */
export const seenKey = ['seen causes']

const causeOf = ({ id, cause }: Build): SeenCause | undefined =>
  cause ?? queryClient.getQueryData<SeenCauses>(seenKey)?.get(id)

export const whyOf = (build: Build): Reason | undefined => {
  const cause = causeOf(build)
  return reasonOf(build) ?? (cause && { text: `${cause.step_name}: ${cause.text}` })
}

/** Of the build, or of the line that tells why it failed. */
export const addressOf = (namespace: string, name: string, build: Build): string => {
  const cause = causeOf(build)
  return paths.build(namespace, name, build.number, cause?.stage, cause?.step) + (cause ? `#L${cause.line}` : '')
}

/** In the place of a build, of a repository that has none. */
export const noBuild = ({ active }: Repo): string => (active ? 'No builds yet' : 'Not active')

/** The second line of a repository's row, as one text. */
export const aboutOf = (repo: Repo): string => {
  const { build } = repo
  if (!build) return noBuild(repo)
  const reason = whyOf(build)
  return `#${build.number} ${reason ? `${reason.text} · ` : ''}${buildTitle(build)}`
}
