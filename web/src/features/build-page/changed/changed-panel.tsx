import type { ReactNode } from 'react'

import { failedRead } from '../../../api/query-client.ts'
import { useAddress } from '../../../browser/navigation.tsx'
import { formatDuration } from '../../../lib/duration.ts'
import { paths } from '../../../lib/paths.ts'
import { withParams } from '../../../lib/search-params.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Link } from '../../../ui/link.tsx'
import { LoadingText, Skeleton } from '../../../ui/skeleton.tsx'
import { fileLink } from '../../events/index.ts'
import type { RequestedStep, Changes } from './changes-query.ts'
import { CommitsSince } from './commits-since.tsx'
import { slowdownText } from './summary.ts'

export interface ChangedPanelProps extends RequestedStep {
  query: {
    data: Changes | null | undefined
    error: Error | null
    isFetching: boolean
    refetch: () => unknown
  }
}

interface PartsProps extends RequestedStep {
  changes: Changes
}

const linkLook = 'rounded-sm text-accent underline touch:py-3'

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  )
}

/** Opens this build's details at a line of the pipeline file. */
function DetailsLink({ line, children }: { line?: number; children: ReactNode }) {
  const { pathname, search } = useAddress()
  const details = line === undefined ? '' : String(line)
  return (
    <Link href={`${pathname}${withParams(search, { changed: undefined, details })}`} className={linkLook}>
      {children}
    </Link>
  )
}

function PipelineFile({ changes: { file, lastSuccess, fromBuilds }, build, repo }: PartsProps) {
  if (fromBuilds) {
    const [before, now] = [fileLink(repo, lastSuccess), fileLink(repo, build)]
    return (
      <p>
        This server can’t say whether it changed.{' '}
        {before && now && (
          <>
            View it{' '}
            <a href={before} target="_blank" rel="noreferrer" className={linkLook}>
              before
            </a>{' '}
            and{' '}
            <a href={now} target="_blank" rel="noreferrer" className={linkLook}>
              after
            </a>
            .
          </>
        )}
      </p>
    )
  }
  if (!file) return <p>Unknown: the file was not stored with both builds.</p>
  if (file.same)
    return (
      <p>
        <DetailsLink>{file.path}</DetailsLink> is unchanged.
      </p>
    )
  return (
    <p>
      First difference:{' '}
      <DetailsLink line={file.line}>
        {file.path}, line {file.line}
      </DetailsLink>
      .
    </p>
  )
}

const valueOf = (value: string | undefined): ReactNode =>
  value === undefined ? (
    <em className="text-muted">none</em>
  ) : value === '' ? (
    <em className="text-muted">empty</em>
  ) : (
    value
  )

function Parameters({ changes: { differences } }: PartsProps) {
  const { params } = differences
  return (
    <>
      {params.length > 0 && (
        <ul className="flex flex-col gap-1 font-mono text-sm">
          {params.map(({ name, before, after }) => (
            <li key={name} className="break-words whitespace-pre-wrap">
              <bdi className="text-muted">{name}</bdi>: <bdi>{valueOf(before)}</bdi> → <bdi>{valueOf(after)}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p>
        {params.length === 0 && 'Unchanged. '}
        <DetailsLink>All parameters of this build</DetailsLink>
      </p>
    </>
  )
}

/** The two runs that are compared. */
const runsOf = ({ at, changes: { since } }: PartsProps) => ({
  green: paths.build(at.namespace, at.name, since.build, since.stage, since.step),
  red: paths.build(at.namespace, at.name, at.build, at.stage, at.step),
})

function Runner(props: PartsProps) {
  const { runner } = props.changes.differences
  if (!runner) return <p>Unknown.</p>
  const { green: successful, red: failed } = runsOf(props)
  return (
    <p>
      {runner.same ? (
        'Unchanged: '
      ) : (
        <>
          <Link href={successful} className={linkLook}>
            <bdi>{runner.before}</bdi>
          </Link>{' '}
          →{' '}
        </>
      )}
      <Link href={failed} className={linkLook}>
        <bdi>{runner.after}</bdi>
      </Link>
    </p>
  )
}

function Duration(props: PartsProps) {
  const { at, changes } = props
  const { duration } = changes.differences
  if (!duration) return <p>Unknown.</p>
  const more = slowdownText(duration)
  const { green: successful, red: failed } = runsOf(props)
  return (
    <p className="tabular-nums">
      <Link href={successful} className={linkLook}>
        {formatDuration(duration.before)} in #{changes.since.build}
      </Link>{' '}
      →{' '}
      <Link href={failed} className={linkLook}>
        {formatDuration(duration.after)} in #{at.build}
      </Link>
      {more && <> ({more})</>}
    </p>
  )
}

/** Everything that differs since the step last passed. */
export function ChangedPanel({ query, ...request }: ChangedPanelProps) {
  const { data: changes } = query
  if (changes === undefined && query.error) return <ErrorState {...failedRead('What changed', query)} />
  if (changes === undefined)
    return (
      <div className="flex flex-col gap-2">
        <LoadingText text="Loading what changed" />
        <Skeleton className="h-5 w-72" />
        <Skeleton className="h-40 w-full" />
      </div>
    )
  if (changes === null)
    return (
      <EmptyState
        title="Never passed before"
        message="This step has never passed on this branch or on the default branch."
      />
    )
  const { since } = changes
  const props = { ...request, changes }
  return (
    <div className="flex flex-col gap-5">
      <p>
        It last passed in{' '}
        <Link
          href={paths.build(request.at.namespace, request.at.name, since.build, since.stage, since.step)}
          className={linkLook}
        >
          #{since.build}
        </Link>
        {since.ref !== request.build.ref && (
          <>
            , on <bdi className="font-mono text-sm">{since.ref.replace('refs/heads/', '')}</bdi>
          </>
        )}
        .
      </p>
      <Part title="Commits">
        <CommitsSince {...props} />
      </Part>
      <Part title="Pipeline file">
        <PipelineFile {...props} />
      </Part>
      <Part title="Parameters">
        <Parameters {...props} />
      </Part>
      <Part title="Runner">
        <Runner {...props} />
      </Part>
      <Part title="Duration">
        <Duration {...props} />
      </Part>
    </div>
  )
}
