/** Builds as entries of feeds. Pure. */
import { firstLine, needsApproval, pullNumber, type Build } from '@flightdeck/api'
import { cutText } from '../../lib/truncate-text.ts'
import type { AtomEntry } from './atom.ts'
import { withoutOverrides } from '../../lib/direction-overrides.ts'

export interface EntryContext {
  /** Where browsers reach the server, without a slash at the end. */
  publicUrl: string
  /** A name that is unique in this server, as an IRI. */
  idOf: (name: string) => string
  /** Puts the repository into the title. */
  withSlug?: boolean
}

interface BuildOfRepo {
  slug: string
  namespace: string
  name: string
  build: Build
}

const maxTitleChars = 200
const maxSummaryChars = 2_000

const statusTexts: Readonly<Record<string, string>> = {
  success: 'passed',
  failure: 'failed',
  error: 'could not run',
  killed: 'was canceled',
  skipped: 'was skipped',
  declined: 'was declined',
}

const oneLine = (text: string): string => withoutOverrides(text).replaceAll(/\s+/g, ' ').trim()

/** What a build is of: the environment, tag, pull request or branch. */
function targetOf({ event, deploy_to: environment, ref, target }: Build): string {
  if ((event === 'promote' || event === 'rollback') && environment) return environment
  if (event === 'tag') return ref.replace(/^refs\/tags\//, '')
  const pull = event === 'pull_request' ? pullNumber(ref) : ''
  return pull === '' ? target : `pull request #${pull}`
}

const authorOf = ({ author_name: name, author_login: login, sender, actor = '', trigger }: Build): string =>
  [name, login, sender, actor, trigger].map((text) => oneLine(text)).find((text) => text !== '') ?? 'Flightdeck'

const durationWords = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

function titleOf({ slug, build }: BuildOfRepo, withSlug: boolean): string {
  const statusText = needsApproval(build) ? 'is waiting for approval' : (statusTexts[build.status] ?? build.status)
  const target = targetOf(build)
  const message = oneLine(build.title ?? '') || oneLine(firstLine(build.message))
  const start = `${withSlug ? `${slug} ` : ''}#${build.number} ${statusText}`
  const end = target === '' ? '' : ` (${oneLine(cutText(target, 100))})`
  const room = Math.max(0, maxTitleChars - start.length - end.length)
  return message === ''
    ? start + end
    : `${start}: ${message.length > room ? `${cutText(message, room)}…` : message}${end}`
}

function summaryOf(build: Build): string {
  const { cause, error = '', ended, started, finished, event, after } = build
  const reason = [
    ...(cause ? [`${cause.stage_name} / ${cause.step_name}: ${oneLine(cause.text)}`] : []),
    ...(ended ? [ended.text] : []),
    ...(error && !ended ? [firstLine(error)] : []),
    ...(build.waiting && needsApproval(build) ? [build.waiting.text] : []),
  ]
  const facts = [
    event.replaceAll('_', ' '),
    targetOf(build),
    ...(after ? [`commit ${after.slice(0, 10)}`] : []),
    ...(started > 0 && finished >= started ? [durationWords(finished - started)] : []),
  ]
  const lines = [...reason, facts.filter((fact) => fact !== '').join(', ')]
  return cutText(withoutOverrides(lines.join('\n')), maxSummaryChars)
}

/**
 * Of a build that has finished, or waits for an approval. What waits and what has finished are two
 * entries.
 */
export function buildEntry(item: BuildOfRepo, { publicUrl, idOf, withSlug = false }: EntryContext): AtomEntry {
  const { namespace, name, build } = item
  const waits = needsApproval(build)
  return {
    id: idOf(`build ${build.id}${waits ? ' waits' : ''}`),
    title: titleOf(item, withSlug),
    published: build.created,
    updated: waits ? build.created : build.finished || build.updated,
    page: `${publicUrl}/${[namespace, name, String(build.number)].map(encodeURIComponent).join('/')}`,
    author: authorOf(build),
    category: waits ? 'waiting' : build.status,
    summary: summaryOf(build),
  }
}
