/**
 * What people did to a build after its trigger: the user who restarts a build is often not the
 * commit's author.
 */
import type { Build, Stage } from '@flightdeck/api'

import { listOf } from '../../lib/text.ts'
import { manualActorOf } from '../../lib/actor.ts'

export interface UserAction {
  text: string
  /** Omitted if the build's own timestamps contain it. */
  at?: number
}

const isDeployment = ({ event }: Pick<Build, 'event'>): boolean => event === 'promote' || event === 'rollback'

/** `wes restarted #3`; `undefined` if no user started it, or the build is not a copy. */
export const restartOf = (build: Build): string | undefined => {
  const actor = manualActorOf(build)
  if (!actor || !build.parent || isDeployment(build)) return undefined
  const { again, parent } = build
  if (again) return `${actor} restarted ${'stage' in again ? `${again.stage} in` : 'the failed stages of'} #${parent}`
  return `${actor} restarted #${parent}${build.debug ? ' in debug mode' : ''}`
}

/** For a row: how a user started the build, as a complete sentence. */
export const userActionOf = (build: Build): string | undefined => {
  const actor = manualActorOf(build)
  if (!actor) return undefined
  const { parent, event, cron = '' } = build
  const source = parent ? `#${parent}` : 'this commit'
  const target = build.deploy_to || 'production'
  if (event === 'promote') return `${actor} promoted ${source} to ${target}`
  if (event === 'rollback') return `${actor} rolled back ${target} to ${source}`
  if (parent) return restartOf(build)
  if (event === 'cron') return `${actor} ran cron job ${cron}`.trim()
  return event === 'custom' ? `Started manually by ${actor}` : `${actor} started it`
}

/**
 * The text before and after the actor's name in `userActionOf`; undefined if the name is not in it.
 */
export const aroundActor = (words: string, actor: string): [before: string, after: string] | undefined => {
  if (words === actor || words.startsWith(`${actor} `)) return ['', words.slice(actor.length)]
  const by = ` by ${actor}`
  const at = words.indexOf(by)
  return at < 0 ? undefined : [words.slice(0, at + by.length - actor.length), words.slice(at + by.length)]
}

/** Whether the end reason already shows it, with its time. */
const isExplained = ({ ended }: Build, by: string, at = 0): boolean => ended?.by === by && (ended.at ?? 0) === at

/** The maximum number of stages to name; of more, only the number is shown. */
const maxNamed = 3

/** All approvals by one person in one line, with the time of the last. */
const approvals = (stages: readonly Stage[]): UserAction[] => {
  const byPerson = new Map<string, Stage[]>()
  for (const stage of stages) {
    const who = stage.approved_by
    if (who) byPerson.set(who, [...(byPerson.get(who) ?? []), stage])
  }
  return [...byPerson].map(([who, approved]) => {
    const names = approved.map(({ name }) => name)
    const what = names.length > maxNamed ? `${names.length} stages` : listOf(names)
    return { text: `${who} approved ${what}`, at: Math.max(...approved.map(({ approved: at = 0 }) => at)) }
  })
}

/**
 * For the build page, next to its event sentence: who canceled the build, and who approved which
 * stage.
 */
export const userActionsOf = (build: Build): UserAction[] => [
  // For other events, the event sentence names the user.
  ...(manualActorOf(build) && !build.parent && build.event === 'cron' ? [{ text: userActionOf(build) ?? '' }] : []),
  ...(build.canceled_by && !isExplained(build, build.canceled_by, build.canceled)
    ? [{ text: `Canceled by ${build.canceled_by}`, at: build.canceled ?? 0 }]
    : []),
  ...approvals(build.stages ?? []),
  ...(build.stages ?? []).flatMap(({ name, declined_by: no, declined }) =>
    no && !isExplained(build, no, declined) ? [{ text: `${no} declined ${name}`, at: declined ?? 0 }] : [],
  ),
]
