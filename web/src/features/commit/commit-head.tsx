import { firstLine, type Commit, type Repo } from '@flightdeck/api'
import { Fragment, type ReactNode } from 'react'

import { paths } from '../../lib/paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { commitLink, ForgeLink, shortHash } from '../events/index.ts'
import { VisibleText } from '../common/visible-text.tsx'

/** The committer sets a commit's time, and git accepts values outside of any calendar. */
const lastOfCalendar = 8_640_000_000_000

function When({ seconds }: { seconds: number }) {
  if (!Number.isSafeInteger(seconds) || Math.abs(seconds) > lastOfCalendar) return <>at an invalid date</>
  return <RelativeTime seconds={seconds} />
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1.5">{children}</dd>
    </div>
  )
}

function Parents({ parents, repo }: { parents: readonly string[]; repo: Repo }) {
  if (parents.length === 0) return <Fact name="Parent">none (initial commit)</Fact>
  return (
    <Fact name={parents.length > 1 ? 'Parents' : 'Parent'}>
      {parents.map((sha) => (
        <Fragment key={sha}>
          <Link
            href={paths.commit(repo.namespace, repo.name, sha)}
            className="rounded-sm font-mono text-accent hover:underline touch:py-3.25"
          >
            {shortHash(sha)}
          </Link>
        </Fragment>
      ))}
    </Fact>
  )
}

/** The message, the author and the parents of a commit. */
export function CommitHead({ commit, repo }: { commit: Commit; repo: Repo }) {
  const { sha, message, author, time, parents, message_cut: isCut } = commit
  const subject = firstLine(message)
  const body = message.trimStart().slice(subject.length).trim()
  return (
    <section aria-label="Commit" className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <h2 className="text-lg font-semibold wrap-anywhere">
        {subject ? <VisibleText text={subject} /> : <span className="text-muted">No message</span>}
      </h2>
      {body && (
        <p className="max-w-4xl font-mono text-sm wrap-anywhere whitespace-pre-wrap">
          <VisibleText text={body} keep={'\n'} />
          {isCut && <span className="text-muted"> … (message truncated)</span>}
        </p>
      )}
      <dl className="flex flex-wrap items-center gap-x-6 gap-y-2 text-sm">
        <Fact name="Author">
          <Avatar login={author.name} />
          <span className="truncate" title={author.email || undefined}>
            <VisibleText text={author.name || 'unknown'} />
          </span>
          <span className="text-muted">
            <When seconds={time} />
          </span>
        </Fact>
        <Parents parents={parents} repo={repo} />
        <Fact name="Commit">
          <code id="commit-sha" className="min-w-0 font-mono wrap-anywhere">
            {sha}
          </code>
          <CopyButton text={sha} textId="commit-sha" label="Copy commit hash" copiedLabel="Copied!" />
        </Fact>
        <ForgeLink repo={repo} href={commitLink(repo, sha)} />
      </dl>
    </section>
  )
}
