import { isDone, type Build } from '@flightdeck/api'

import { neverRan } from '../../lib/duration.ts'
import type { Conditions } from './filter.ts'

const isPart = (text: string | undefined, search: string): boolean => (text ?? '').toLowerCase().includes(search)

const hasText = (build: Build, search: string): boolean => {
  const { title, message, author_login, author_name, ref, deploy_to, cron, after, number } = build
  return (
    search.replace('#', '') === String(number) ||
    [title, message, author_login, author_name, ref, deploy_to, cron, after].some((text) => isPart(text, search))
  )
}

const hasDuration = ({ started, finished, status }: Build, { longer, shorter }: Conditions, now: number): boolean => {
  if (longer === undefined && shorter === undefined) return true
  if (!started || neverRan(status, started, finished) || (!finished && isDone(status))) return false
  const seconds = (finished || now) - started
  return (longer === undefined || seconds > longer) && (shorter === undefined || (finished > 0 && seconds < shorter))
}

/** Applies the server's rules (docs/api §2.4) to a loaded build. `now`: in Unix seconds. */
export const matchesFilter = (build: Build, conditions: Conditions, now: number): boolean => {
  const { branch, event, status, environment, since = 0, until = Infinity } = conditions
  const author = conditions.author?.toLowerCase()
  const text = conditions.text?.toLowerCase()
  return (
    (branch === undefined || build.ref === `refs/heads/${branch}`) &&
    (event === undefined || build.event === event) &&
    (status === undefined || build.status === status) &&
    (environment === undefined || build.deploy_to === environment) &&
    build.created >= since &&
    build.created < until &&
    (author === undefined ||
      [build.author_login, build.actor, build.trigger].some((login) => login?.toLowerCase() === author)) &&
    (text === undefined || hasText(build, text)) &&
    hasDuration(build, conditions, now)
  )
}
