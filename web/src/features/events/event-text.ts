/**
 * The event that triggered a build, as a sentence (readings "Repository": the sentence names the
 * kind of event; a cron build names its job, a promotion its target). It is returned in parts: the
 * build page links some of them, lists join them.
 */
import { pullNumber, type Build } from '@flightdeck/api'

import { manualActorOf } from '../../lib/actor.ts'
import { userActionOf, restartOf } from './user-actions.ts'

export interface EventPart {
  kind: 'text' | 'commit' | 'branch' | 'pull' | 'tag' | 'parent' | 'environment' | 'fork' | 'person'
  text: string
}

/** Specification §9: a commit hash is shown as 8 characters. */
export const shortHash = (hash: string): string => hash.slice(0, 8)

const text = (value: string): EventPart => ({ kind: 'text', text: value })
const branch = (name: string): EventPart => ({ kind: 'branch', text: name })

const tagName = (ref: string): string => ref.replace(/^refs\/tags\//, '')

/**
 * The person who triggered the build; builds from cron jobs have no author. Not every server
 * reports the trigger.
 */
const actor = (build: Partial<Build>): string => {
  const { event, sender, author_login, author_name, trigger = '' } = build
  const isDeployment = event === 'promote' || event === 'rollback'
  // A deployment is a copy: its sender is still that of the first build.
  const actor = isDeployment ? manualActorOf(build) : ''
  return actor || sender || author_login || author_name || (trigger.startsWith('@') ? '' : trigger)
}

/** A user named by a webhook, who has a profile page at the forge. */
const isOfForge = ({ trigger, sender, author_login }: Partial<Build>, who: string): boolean =>
  trigger === '@hook' && (who === sender || who === author_login)

const commitOn = (build: Build, preposition: string): EventPart[] => [
  ...(build.after ? [{ kind: 'commit', text: shortHash(build.after) } as const] : []),
  ...(build.target ? [text(preposition), branch(build.target)] : []),
]

const sourceBuild = (build: Build): EventPart[] =>
  build.parent ? [{ kind: 'parent', text: `#${build.parent}` }] : [text('this commit')]

const environment = (build: Build): EventPart => ({ kind: 'environment', text: build.deploy_to || 'production' })

/** Flightdeck's placeholder for a fork that was deleted or whose name is not valid. */
const unknownFork = 'unknown/fork'

/** The repository that a pull request comes from, if it is not `slug`. */
export const forkOf = ({ event, source_repo }: Partial<Build>, slug: string): string | undefined =>
  event === 'pull_request' && source_repo && slug && source_repo.toLowerCase() !== slug.toLowerCase()
    ? source_repo
    : undefined

/** The name as the page shows it. */
export const forkName = (fork: string): string => (fork === unknownFork ? 'an unknown fork' : fork)

/** Where the commits of a pull request come from: a branch of this repository, or of a fork. */
const sourceParts = (build: Build, slug: string): EventPart[] => {
  const fork = forkOf(build, slug)
  if (!fork) return build.source ? [text('from'), branch(build.source)] : []
  if (fork === unknownFork) return [text(`from ${forkName(fork)}`)]
  return [text('from'), { kind: 'fork', text: build.source ? `${fork}:${build.source}` : fork }]
}

const sourceAndTarget = (build: Build, slug: string): EventPart[] => [
  ...sourceParts(build, slug),
  ...(build.target ? [text('to'), branch(build.target)] : []),
]

/** The source and target of a pull request, for a row: `from ann/web:fix to main`. */
export const sourceWords = (build: Build, slug: string): string =>
  sourceAndTarget(build, slug)
    .map((part) => part.text)
    .join(' ')

const pullRequest = (build: Build, slug: string): EventPart[] => {
  const number = pullNumber(build.ref)
  const verb = { synchronized: 'updated', opened: 'opened', closed: 'closed' }[build.action] ?? 'opened'
  return [
    text(verb),
    { kind: 'pull', text: number ? `pull request #${number}` : 'pull request' },
    ...sourceAndTarget(build, slug),
  ]
}

const predicate = (build: Build, slug: string): EventPart[] => {
  switch (build.event) {
    case 'push':
      return [text('pushed'), ...commitOn(build, 'to')]
    case 'pull_request':
      return pullRequest(build, slug)
    case 'tag':
      return build.ref ? [text('created tag'), { kind: 'tag', text: tagName(build.ref) }] : [text('created a tag')]
    case 'cron':
      return [text(`cron job ${build.cron ?? ''}`.trim()), text('ran'), ...commitOn(build, 'on')]
    case 'promote':
      return [text('promoted'), ...sourceBuild(build), text('to'), environment(build)]
    case 'rollback':
      return [text('rolled back'), environment(build), text('to'), ...sourceBuild(build)]
    case 'custom':
      return [text('started a custom build of'), ...commitOn(build, 'on')]
    default:
      // A newer server can have more events than this table.
      return [text(String(build.event)), ...commitOn(build, 'on')]
  }
}

/**
 * The sentence in parts, to be joined by spaces. It starts with the actor, if known, unless
 * `precedingText` already names the same one. `slug`: the repository, to recognize forks.
 */
export const eventParts = (build: Build, precedingText = '', slug = ''): EventPart[] => {
  const parts = predicate(build, slug)
  const who = build.event === 'cron' ? '' : actor(build)
  if (who && who === precedingText) return parts
  if (who) return [{ kind: isOfForge(build, who) ? 'person' : 'text', text: who }, ...parts]
  const [first, ...rest] = parts
  return first ? [{ ...first, text: first.text.charAt(0).toUpperCase() + first.text.slice(1) }, ...rest] : []
}

const pullVerbs: Record<string, string> = { synchronized: 'updated', closed: 'closed' }

/**
 * The kind of event, for a row whose columns already show author, branch and commit:
 * `Cron job nightly`, `Promoted #21 to production`.
 */
export const eventKind = (build: Build, slug = ''): string => {
  const from = build.parent ? `#${build.parent}` : 'this commit'
  switch (build.event) {
    case 'push':
      return 'Push'
    case 'pull_request':
      return [
        `Pull request ${pullNumber(build.ref) && `#${pullNumber(build.ref)}`}`.trim(),
        pullVerbs[build.action] ?? 'opened',
        sourceParts(build, slug)
          .map((part) => part.text)
          .join(' '),
      ]
        .filter(Boolean)
        .join(' ')
    case 'tag':
      return build.ref ? `Tag ${tagName(build.ref)}` : 'Tag'
    case 'cron':
      return `Cron job ${build.cron ?? ''}`.trim()
    case 'promote':
      return `Promoted ${from} to ${environment(build).text}`
    case 'rollback':
      return `Rolled back ${environment(build).text} to ${from}`
    case 'custom':
      return 'Custom build'
    default:
      return String(build.event)
  }
}

/**
 * For a row: who started the build and how, if a user did; plus the kind of event if that doesn't
 * include it.
 */
export const rowWords = (build: Build, slug = ''): string[] => {
  const action = userActionOf(build)
  if (action === undefined) return [eventKind(build, slug)]
  return restartOf(build) === undefined ? [action] : [action, eventKind(build, slug)]
}

/** The sentence as plain text, for lists. */
export const eventDescription = (build: Build): string =>
  eventParts(build)
    .map((part) => part.text)
    .join(' ')
