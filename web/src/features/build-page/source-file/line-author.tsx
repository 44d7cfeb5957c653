import type { SourceAuthors, SourceCommit } from '@flightdeck/api'

import type { StepAddress } from '../../log/index.ts'
import { paths } from '../../../lib/paths.ts'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { shortHash } from '../../events/index.ts'

export interface LineAuthorProps {
  authors: SourceAuthors | undefined
  /** The authors could not be loaded in time. */
  isLate: boolean
  at: StepAddress
  /** The number of the requested line. */
  line: number
}

const linkLook = 'rounded-sm text-accent underline touch:py-3'

export const commitOf = ({ lines, commits, from }: SourceAuthors, line: number): SourceCommit | undefined =>
  commits[lines[line - from] ?? -1]

/**
 * Says whether the change is newer than the step's last successful run. This is the key
 * information, so it is never truncated.
 */
function Since({ commit, authors, at }: { commit: SourceCommit; authors: SourceAuthors; at: StepAddress }) {
  if (!authors.since) return null
  const fromBaseline = (
    <Link href={paths.build(at.namespace, at.name, authors.since.build)} className={linkLook}>
      #{authors.since.build}
    </Link>
  )
  if (commit.after === undefined) return <>(unclear whether before or after {fromBaseline}, the last passing build) </>
  return (
    <>
      {commit.after ? <strong className="font-medium text-danger">after</strong> : 'before'} {fromBaseline}, the last
      passing build:{' '}
    </>
  )
}

/** The author of the requested line. Reserves two lines of space until it is loaded. */
export function LineAuthor({ authors, isLate, at, line }: LineAuthorProps) {
  const commit = authors && commitOf(authors, line)
  return (
    <section aria-label="Last change to this line" className="min-h-15 md:min-h-10">
      {!authors && !isLate && <Skeleton className="h-5 w-80" />}
      {(isLate || (authors && !commit)) && (
        <p className="text-muted">The last change to this line could not be loaded.</p>
      )}
      {authors && commit && (
        <p className="line-clamp-3 md:line-clamp-2">
          Line {line} was last changed <Since commit={commit} authors={authors} at={at} />
          {commit.earliest && 'in or before '}
          <RelativeTime seconds={commit.time} /> by <bdi className="font-medium">{commit.author}</bdi> in{' '}
          <Link href={paths.commit(at.namespace, at.name, commit.sha)} className={linkLook}>
            <span className="font-mono">{shortHash(commit.sha)}</span> <bdi>{commit.title}</bdi>
          </Link>
        </p>
      )}
    </section>
  )
}
