import { firstLine } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { ownQueryOf } from '../../api/own-client.ts'
import { failedRead, isStatus } from '../../api/query-client.ts'
import { useRepo } from '../../api/use-repo.ts'
import { useAddress } from '../../browser/navigation.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { shortHash } from '../events/index.ts'
import { readAnchor } from './anchor.ts'
import { CommitBuilds } from './commit-builds.tsx'
import { CommitHead } from './commit-head.tsx'
import { FileList } from './file-list.tsx'
import { FileSection } from './file-section.tsx'
import { maxShown } from './max-shown.ts'
import { useCommitKeys } from './use-commit-keys.ts'

export interface CommitPageProps {
  namespace: string
  name: string
  sha: string
}

const isWhole = (sha: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(sha)

function HeadSkeleton() {
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <LoadingText />
      <Skeleton className="h-6 w-1/2" />
      <Skeleton className="h-8 w-3/4 touch:h-11" />
    </div>
  )
}

function Absent({ sha }: { sha: string }) {
  return (
    <EmptyState
      title={`The commit ${shortHash(sha)} is not in this repository`}
      message="It may have been removed by a force-push. Its builds are kept."
    />
  )
}

/** A commit: its message, its builds, its changes. */
export function CommitPage({ namespace, name, sha }: CommitPageProps) {
  const repo = useRepo(namespace, name)
  const query = useQuery(ownQueryOf('getCommit', namespace, name, sha))
  const { data: commit, error } = query
  const target = readAnchor(useAddress().hash)
  const isAbsent = !commit && isStatus(error, 404)
  useTitle([shortHash(sha), commit && firstLine(commit.message), repo.slug].filter(Boolean).join(' – '))
  useCommitKeys(namespace, name, commit)
  const whole = isWhole(sha) ? sha : commit?.sha
  const isUntouched = commit && target && !commit.files.some(({ path }) => path === target.path)
  return (
    <>
      {commit ? (
        <CommitHead commit={commit} repo={repo} />
      ) : isAbsent ? (
        <Absent sha={sha} />
      ) : error ? (
        <ErrorState {...failedRead('The commit', query)} />
      ) : (
        <HeadSkeleton />
      )}
      {(whole !== undefined || !error) && <CommitBuilds repo={repo} sha={whole} />}
      {isUntouched && (
        <p role="status" className="rounded-lg border border-line bg-warning-soft px-4 py-2 wrap-anywhere">
          This commit does not change {target.path}, or {target.path} is not in the list below.
        </p>
      )}
      {commit && <FileList commit={commit} />}
      {commit?.files.slice(0, maxShown).map((file) => (
        <FileSection
          key={`${file.path} ${file.before}`}
          file={file}
          target={target?.path === file.path ? target : undefined}
        />
      ))}
      {commit && commit.files.length > maxShown && (
        <p className="text-muted">Only the first {maxShown} files show a diff; the rest are listed above.</p>
      )}
    </>
  )
}
