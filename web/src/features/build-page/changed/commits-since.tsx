import { paths } from '../../../lib/paths.ts'
import { formatNumber } from '../../../lib/text.ts'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { printAnchor } from '../../commit/index.ts'
import { compareLink, shortHash } from '../../events/index.ts'
import { forgeOf } from '../../../api/forge.ts'
import type { RequestedStep, Changes } from './changes-query.ts'

/** The number of files to show per commit; the others are on the commit's page. */
const maxFiles = 6
const linkLook = 'rounded-sm text-accent underline touch:py-3'

type Commit = NonNullable<Changes['commits']>[number]
type Of = RequestedStep['at']

function Files({ commit: { sha, files, total = files.length, merge }, of: { namespace, name } }: CommitProps) {
  const page = paths.commit(namespace, name, sha)
  if (merge) return <p className="text-sm text-muted">Merge commit</p>
  const left = total - Math.min(files.length, maxFiles)
  return (
    <ul className="flex flex-wrap gap-x-3 font-mono text-sm">
      {files.slice(0, maxFiles).map((path) => (
        <li key={path} className="min-w-0">
          <Link href={`${page}#${printAnchor({ path })}`} className="rounded-sm break-all hover:underline touch:py-3">
            <bdi>{path}</bdi>
          </Link>
        </li>
      ))}
      {left > 0 && (
        <li>
          <Link href={page} className="rounded-sm text-muted hover:underline touch:py-3">
            +{formatNumber(left)} more
          </Link>
        </li>
      )}
    </ul>
  )
}

interface CommitProps {
  commit: Commit
  of: Of
}

function OneCommit({ commit, of }: CommitProps) {
  const { namespace, name } = of
  const href =
    commit.build === undefined ? paths.commit(namespace, name, commit.sha) : paths.build(namespace, name, commit.build)
  return (
    <li className="flex min-w-0 flex-col py-1">
      <Link href={href} className="group flex min-w-0 gap-2 rounded-sm touch:py-3">
        <span className="shrink-0 font-mono text-accent group-hover:underline">{shortHash(commit.sha)}</span>
        <bdi className="min-w-0 truncate font-medium">{commit.title}</bdi>
      </Link>
      <p className="text-sm text-muted">
        <bdi className="text-ink">{commit.author}</bdi>, <RelativeTime seconds={commit.time} />
        {commit.build !== undefined && <>, first built in #{commit.build}</>}
      </p>
      {commit.build === undefined && <Files commit={commit} of={of} />}
    </li>
  )
}

/** The commits since then, with authors and files, and a note if they are not all known. */
export function CommitsSince({ changes, at, build, repo }: RequestedStep & { changes: Changes }) {
  const { commits, more, without = 0, fromBuilds, since } = changes
  const forge = forgeOf(repo)
  const compare = fromBuilds || forge ? compareLink(repo, since.commit, build.after) : undefined
  return (
    <>
      {!commits && <p>Unknown: git no longer has both commits, or took too long.</p>}
      {commits?.length === 0 && without === 0 && <p>None (same commit).</p>}
      {without > 0 && (
        <p>
          {without} {without === 1 ? 'commit' : 'commits'} in #{since.build} {without === 1 ? 'is' : 'are'} not in this
          build: it builds an older commit, or the branch was force-pushed.
        </p>
      )}
      {commits && commits.length > 0 && (
        <ul className="divide-y divide-line">
          {commits.map((commit) => (
            <OneCommit key={commit.sha} commit={commit} of={at} />
          ))}
        </ul>
      )}
      {more && <p className="text-sm text-muted">Only the first {formatNumber(commits?.length ?? 0)} are shown.</p>}
      {fromBuilds && commits && commits.length > 0 && (
        <p className="text-sm text-muted">Only commits that were built are listed, without their files.</p>
      )}
      {compare && commits && commits.length > 0 && (
        <p>
          <a href={compare} target="_blank" rel="noreferrer" className={linkLook}>
            Compare on {forge?.title ?? 'your Git host'}
          </a>
        </p>
      )}
    </>
  )
}
