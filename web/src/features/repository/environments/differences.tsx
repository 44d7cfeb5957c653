import type { Build, Comparison, Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'

import { comparisonQuery } from '../../../api/environments.ts'
import { failedRead, isStatus } from '../../../api/query-client.ts'
import { paths } from '../../../lib/paths.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { LoadingText } from '../../../ui/skeleton.tsx'
import { ChangedFiles } from '../../commit/index.ts'
import { shortHash } from '../../events/index.ts'
import { deploymentName, distanceWords } from './words.ts'

export interface DifferencesProps {
  repo: Repo
  environment: string
  /** The current deployment of the environment. */
  current: Build
  /** The newest commit of its branch. */
  head: { branch: string; sha: string } | undefined
  /** The newest deployments of other environments. */
  others: readonly Build[]
}

function Commits({ repo, commits = [] }: { repo: Repo; commits: Comparison['commits'] }) {
  return (
    <ul aria-label="Commits" className="divide-y divide-line">
      {commits.map(({ sha, title, author, time }) => (
        <li key={sha} className="flex min-w-0 flex-col py-1">
          <Link
            href={paths.commit(repo.namespace, repo.name, sha)}
            className="group flex min-w-0 gap-2 rounded-sm touch:py-3"
          >
            <span className="shrink-0 font-mono text-accent group-hover:underline">{shortHash(sha)}</span>
            <bdi className="min-w-0 truncate">{title}</bdi>
          </Link>
          <p className="text-sm text-muted">
            <bdi>{author}</bdi>, <RelativeTime seconds={time} />
          </p>
        </li>
      ))}
    </ul>
  )
}

function Compared({
  repo,
  from,
  to,
  names,
}: {
  repo: Repo
  from: string
  to: string
  names: { environment: string; other: string }
}) {
  const query = useQuery(comparisonQuery(repo, from, to))
  const { data, error } = query
  if (isStatus(error, 404)) return <p className="text-muted">One of these commits is no longer in the repository.</p>
  if (!data && error) return <ErrorState {...failedRead('The comparison', query)} />
  if (!data) return <LoadingText text="Comparing commits" />
  const words = distanceWords(data, names)
  const isSlow = data.commits === undefined
  return (
    <>
      {words.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {words.length === 0 && !isSlow && <p>No differences: both have the same commits.</p>}
      {isSlow && <p className="text-muted">Git took too long to list the commits.</p>}
      <Commits repo={repo} commits={data.commits} />
      {data.files && data.files.length > 0 && <ChangedFiles files={data.files} total={data.total} />}
    </>
  )
}

/** Commits and files that differ between the environment and its branch or another environment. */
export function Differences({ repo, environment, current, head, others }: DifferencesProps) {
  const id = useId()
  const choices = [
    ...(head ? [{ value: 'head', label: `${head.branch}, newest commit`, name: head.branch, sha: head.sha }] : []),
    // Their newest deployments, which can have failed: the sentences name them.
    ...others.map((build) => ({
      value: `environment ${build.deploy_to}`,
      label: deploymentName(build),
      name: deploymentName(build),
      sha: build.after,
    })),
  ].filter(({ sha }) => sha !== '')
  const [selectedKey, setWanted] = useState('')
  const chosen = choices.find(({ value }) => value === selectedKey) ?? choices[0]
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <h2 id={id} className="font-semibold">
        Differences
      </h2>
      {chosen ? (
        <>
          <SelectField
            label={`Compare ${environment} with`}
            value={chosen.value}
            options={choices}
            onChange={setWanted}
            className="max-w-80"
          />
          <Compared
            key={chosen.value}
            repo={repo}
            from={current.after}
            to={chosen.sha}
            names={{ environment, other: chosen.name }}
          />
        </>
      ) : (
        <p className="text-muted">There is nothing to compare {environment} with yet.</p>
      )}
    </section>
  )
}
