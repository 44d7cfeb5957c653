import type { Build, Repo } from '@flightdeck/api'
import { Clock, GitBranch, GitPullRequest, Tag } from 'lucide-react'

import { failureHrefOf, failureReasonOf } from '../../api/failure-reason.ts'
import { aroundActor, userActionOf, rowWords, shortHash } from '../events/index.ts'
import { shownStatus } from '../../lib/reason.ts'
import { buildTitle } from '../../lib/text.ts'
import { manualActorOf, actorOf } from '../../lib/actor.ts'
import { BuildActor } from '../common/build-actor.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Duration } from '../../ui/duration.tsx'
import { Link } from '../../ui/link.tsx'
import { ReasonText } from '../../ui/reason.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'

function RefIcon({ event }: Pick<Build, 'event'>) {
  const iconClass = 'mr-1 inline size-3'
  if (event === 'tag') return <Tag className={iconClass} aria-hidden="true" />
  if (event === 'pull_request') return <GitPullRequest className={iconClass} aria-hidden="true" />
  return <GitBranch className={iconClass} aria-hidden="true" />
}

/** The name of a tag, whose target is not the branch of the build. */
const refOf = ({ event, ref, target }: Build): string =>
  event === 'tag' ? (ref ?? '').replace(/^refs\/tags\//, '') || target : target

function Refs({ build }: { build: Build }) {
  const ref = refOf(build)
  return (
    <span className="hidden w-56 shrink-0 items-center gap-2 xl:flex">
      {ref && (
        <Chip className="max-w-36">
          <RefIcon event={build.event} />
          {ref}
        </Chip>
      )}
      {build.after && <Chip className="shrink-0">{shortHash(build.after)}</Chip>}
    </span>
  )
}

function Title({ build }: { build: Build }) {
  const title = buildTitle(build)
  return (
    // `truncate` instead of a clamp: a clamp would wrap a long word onto the hidden line.
    <span className="max-md:line-clamp-2 md:truncate" title={title || undefined}>
      <span className="text-muted tabular-nums">#{build.number}</span>{' '}
      <bdi className={title ? 'font-medium' : 'text-muted'}>{title || 'No message'}</bdi>
    </span>
  )
}

/** What the columns do not show, and their content if there is no room for columns. */
function About({ build, slug }: { build: Build; slug: string }) {
  const reason = failureReasonOf(build)
  const actor = manualActorOf(build) ?? ''
  const words = rowWords(build, slug).join(' · ')
  const around = actor ? aroundActor(words, actor) : undefined
  // The person who started it is named once.
  const who = userActionOf(build) ? '' : actorOf(build).login
  const hash = shortHash(build.after ?? '')
  const rest = (
    <>
      {/* Names can have bidirectional characters, which must only affect the name. */}
      {around ? (
        <>
          {around[0]}
          <bdi>{actor}</bdi>
          {around[1]}
        </>
      ) : (
        words
      )}
      {who && (
        <span className="lg:hidden">
          {' · '}
          <bdi>{who}</bdi>
        </span>
      )}
      {(build.target || hash) && (
        <span className="xl:hidden">
          {' · '}
          {build.target && <bdi>{build.target}</bdi>}
          {build.target && hash && ' '}
          {hash}
        </span>
      )}
    </>
  )
  if (!reason) return <span className="truncate text-sm text-muted">{rest}</span>
  return (
    // On one line both are visible: the reason is truncated, but not completely.
    <span className="text-sm text-muted max-md:line-clamp-2 md:flex md:min-w-0">
      <span className="md:min-w-0 md:truncate">
        <ReasonText reason={reason} />
      </span>
      <span className="md:max-w-2/5 md:whitespace-pre md:shrink-0 md:overflow-hidden md:text-ellipsis xl:max-w-3/5">
        {' · '}
        {rest}
      </span>
    </span>
  )
}

/** One build; the whole row is one link (design.md "Lists"). */
export function BuildRow({ build, repo }: { build: Build; repo: Repo }) {
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        data-row
        via="follow"
        href={failureHrefOf(repo.namespace, repo.name, build)}
        className="flex min-h-(--row) items-center gap-3 px-4 py-(--row-space) -outline-offset-2 hover:bg-raised"
      >
        <StatusIcon status={shownStatus(build)} />
        <span className="flex min-w-0 flex-1 flex-col">
          <Title build={build} />
          <About build={build} slug={repo.slug} />
        </span>
        <Refs build={build} />
        <BuildActor build={build} />
        <span className="flex max-w-24 shrink-0 flex-col items-end text-right text-sm text-muted md:w-52 md:max-w-none md:flex-row md:items-center lg:w-72 xl:w-66 md:justify-end md:gap-4">
          <RelativeTime seconds={build.created} className="md:flex-1" />
          <span className="flex items-center justify-end gap-1 md:w-24">
            <Clock className="size-3 shrink-0" aria-hidden="true" />
            <Duration status={build.status} started={build.started} finished={build.finished} />
          </span>
        </span>
      </Link>
    </li>
  )
}
