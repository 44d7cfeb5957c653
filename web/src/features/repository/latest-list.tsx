import type { Build, Repo } from '@flightdeck/api'
import { Layers, GitBranch } from 'lucide-react'

import { shortHash } from '../../lib/event-text.ts'
import { paths } from '../../lib/paths.ts'
import { buildTitle } from '../../lib/text.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Link } from '../../ui/link.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'

export type LatestOf = 'Branch' | 'Environment'

/** Widths that the head and the rows share. */
const column = {
  name: 'flex-1 md:w-56 md:flex-none',
  commit: 'shrink-0 md:w-24',
  committer: 'hidden w-40 shrink-0 lg:flex',
  message: 'min-w-0 basis-full md:flex-1 md:basis-0',
}

function Head({ of }: { of: LatestOf }) {
  return (
    <div className="hidden h-9 items-center gap-3 border-b border-line px-4 text-sm text-muted md:flex">
      <span className="w-4">
        <span className="sr-only">Status</span>
      </span>
      <span className={column.name}>{of}</span>
      <span className={column.commit}>Commit</span>
      <span className={column.committer}>Committer</span>
      <span className={column.message}>Message</span>
    </div>
  )
}

function Row({ of, build, repo }: { of: LatestOf; build: Build; repo: Repo }) {
  const Icon = of === 'Branch' ? GitBranch : Layers
  const label = of === 'Branch' ? build.target : (build.deploy_to ?? '')
  const login = build.author_login || build.sender
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        href={paths.build(repo.namespace, repo.name, build.number)}
        className="flex min-h-13 items-center gap-3 px-4 py-1.5 -outline-offset-2 hover:bg-raised"
      >
        <StatusIcon status={build.status} />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 md:flex-nowrap">
          <span className={`flex min-w-0 items-center gap-1.5 font-medium ${column.name}`}>
            <Icon className="size-3.5 shrink-0 text-muted" aria-hidden="true" />
            <span className="truncate">{label}</span>
          </span>
          <span className={column.commit}>{build.after && <Chip>{shortHash(build.after)}</Chip>}</span>
          <span className={`items-center gap-2 text-sm text-muted ${column.committer}`}>
            <Avatar login={login} src={build.author_avatar} />
            <span className="truncate">{login}</span>
          </span>
          <span className={`truncate text-sm text-muted md:text-base ${column.message}`}>{buildTitle(build)}</span>
        </span>
      </Link>
    </li>
  )
}

/** The last build of each branch or environment, the newest first: servers answer in no order (wire.md §1.15). */
export function LatestList({ of, builds, repo }: { of: LatestOf; builds: readonly Build[]; repo: Repo }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <Head of={of} />
      <ul>
        {builds
          .toSorted((a, b) => b.number - a.number)
          .map((build) => (
            <Row key={build.number} of={of} build={build} repo={repo} />
          ))}
      </ul>
    </div>
  )
}
