import type { Build, Repo } from '@flightdeck/api'
import { memo } from 'react'

import { rowSummaryOf, noBuildText, failureReasonOf } from '../../api/failure-reason.ts'
import { paths } from '../../lib/paths.ts'
import { shownStatus } from '../../lib/reason.ts'
import { buildTitle } from '../../lib/text.ts'
import { actorOf } from '../../lib/actor.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Duration } from '../../ui/duration.tsx'
import { Link } from '../../ui/link.tsx'
import { ReasonText } from '../../ui/reason.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'

/** The same columns in rows and skeletons, so that nothing moves when the data arrives. */
export const rowClass =
  'grid h-(--row) grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-3 px-3 lg:grid-cols-[1rem_minmax(0,1fr)_minmax(0,14rem)_minmax(0,9rem)_9.75rem_5rem]'

/** Shows the waiting or end reason before the title, which may be long. */
function About({ build }: { build: Build }) {
  const reason = failureReasonOf(build)
  const number = `#${build.number} `
  if (!reason) return number + buildTitle(build)
  return (
    <>
      {number}
      <ReasonText reason={reason} />
      {` · ${buildTitle(build)}`}
    </>
  )
}

function Columns({ build }: { build: Build }) {
  const who = actorOf(build)
  return (
    <>
      <span className="hidden min-w-0 gap-1.5 lg:flex">
        {build.target && <Chip title={build.target}>{build.target}</Chip>}
        {build.after && <Chip className="shrink-0">{build.after.slice(0, 8)}</Chip>}
      </span>
      <span className="hidden min-w-0 items-center gap-2 text-sm text-muted lg:flex">
        {who.login && (
          <>
            <Avatar login={who.login} src={who.avatar} />
            <span className="truncate">{who.login}</span>
          </>
        )}
      </span>
      <RelativeTime seconds={build.created} className="text-right text-sm whitespace-nowrap text-muted tabular-nums" />
      <span className="hidden text-right text-sm text-muted lg:block">
        <Duration status={build.status} started={build.started} finished={build.finished} />
      </span>
    </>
  )
}

/**
 * One repository. The whole row is a link: to the builds if the repository is active, else to its
 * settings. An `asText` row, outside the viewport, renders only text, for in-page search and
 * keyboard navigation; the rest renders when it is scrolled near.
 */
export const RepoRow = memo(function RepoRow({
  repo,
  asText = false,
  starred = false,
}: {
  repo: Repo
  asText?: boolean
  /** Shows the last builds and a star at its end. */
  starred?: boolean
}) {
  const { namespace, name, build, active } = repo
  const href = active ? paths.repo(namespace, name) : paths.repoSettings(namespace, name)
  // Fewer nodes to create, style and lay out before the first rows are visible.
  if (asText)
    return (
      <Link data-row href={href} className="block h-(--row) truncate px-3">
        {`${repo.slug} ${rowSummaryOf(repo)}`}
      </Link>
    )
  const status = active ? build && shownStatus(build) : 'inactive'
  return (
    <Link
      data-row
      href={href}
      className={`${rowClass} ${starred ? 'pr-8 sm:pr-32 lg:pr-8 xl:pr-32' : ''} transition-colors hover:bg-raised focus-visible:-outline-offset-2`}
    >
      {status ? <StatusIcon status={status} /> : <span />}
      <span className="min-w-0">
        <span className="block truncate font-medium">{repo.slug}</span>
        <span className="block truncate text-sm text-muted">{build ? <About build={build} /> : noBuildText(repo)}</span>
      </span>
      {build && <Columns build={build} />}
    </Link>
  )
})
