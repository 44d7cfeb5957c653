import type { Build, Repo } from '@flightdeck/api'
import { Layers, GitBranch } from 'lucide-react'
import { memo, useMemo } from 'react'

import { shortHash } from '../events/index.ts'
import { paths } from '../../lib/paths.ts'
import { reasonOf, shownStatus } from '../../lib/reason.ts'
import { buildTitle } from '../../lib/text.ts'
import { presserOf } from '../../lib/who.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Duration } from '../../ui/duration.tsx'
import { Link } from '../../ui/link.tsx'
import { ReasonText } from '../../ui/reason.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { reachOf, useNear, type Reach } from '../../browser/use-near.ts'

export type LatestOf = 'Branch' | 'Environment'

/**
 * Widths that the head and the rows share. The first four are the specification's and have columns from 640 px on; what is ours
 * stands below them until there is room for it at 1024.
 */
const column = {
  name: 'flex-1 sm:w-32 sm:flex-none xl:w-56',
  commit: 'shrink-0 sm:w-20',
  committer: 'hidden w-30 shrink-0 sm:flex md:w-36 lg:w-34',
  message: 'min-w-0 basis-full sm:flex-1 sm:basis-0',
  number: 'shrink-0 lg:w-12 lg:text-right',
  time: 'shrink-0 lg:w-40 lg:text-right',
  duration: 'shrink-0 lg:w-16 lg:text-right',
}
const ours = 'max-lg:hidden'

function Head({ of }: { of: LatestOf }) {
  return (
    <div className="hidden h-9 items-center gap-3 border-b border-line px-4 text-sm text-muted sm:flex">
      <span className="w-4">
        <span className="sr-only">Status</span>
      </span>
      <span className={column.name}>{of}</span>
      <span className={column.commit}>Commit</span>
      <span className={column.committer}>Committer</span>
      <span className={column.message}>Message</span>
      <span className={`${ours} ${column.number}`}>Build</span>
      <span className={`${ours} ${column.time}`}>Time</span>
      <span className={`${ours} ${column.duration}`}>Duration</span>
    </div>
  )
}

const labelOf = (of: LatestOf, build: Build): string => (of === 'Branch' ? build.target : (build.deploy_to ?? ''))
const committerOf = (build: Build): string => build.author_login || build.sender

/** The deployer may differ from the author; and a rollback is no promotion. */
const deployedBy = (build: Build): string => {
  const what = build.event === 'rollback' ? 'Rolled back' : 'Promoted'
  const who = presserOf(build)
  const from = build.parent ? ` from #${build.parent}` : ''
  return `${what}${from}${who ? ` by ${who}` : ''}`
}

function Whole({ of, build }: { of: LatestOf; build: Build }) {
  const Icon = of === 'Branch' ? GitBranch : Layers
  const label = labelOf(of, build)
  const login = committerOf(build)
  const reason = reasonOf(build)
  const deployed = of === 'Environment' ? deployedBy(build) : undefined
  return (
    <>
      <StatusIcon status={shownStatus(build)} />
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 sm:gap-y-0 lg:flex-nowrap">
        <span className={`flex min-w-0 items-center gap-1.5 font-medium ${column.name}`}>
          <Icon className="size-3.5 shrink-0 text-muted" aria-hidden="true" />
          <span className="truncate">{label}</span>
        </span>
        <span className={column.commit}>{build.after && <Chip>{shortHash(build.after)}</Chip>}</span>
        <span className={`items-center gap-2 text-sm text-muted ${column.committer}`}>
          <Avatar login={login} src={build.author_avatar} />
          <span className="truncate">{login}</span>
        </span>
        <span className={`flex flex-col text-sm text-muted sm:text-base ${column.message}`}>
          <span className="truncate">{buildTitle(build) || 'No message'}</span>
          {deployed && (
            <span className="truncate text-sm text-muted">
              <bdi>{deployed}</bdi>
            </span>
          )}
          {reason && (
            <span className="line-clamp-2 text-sm sm:line-clamp-1">
              <ReasonText reason={reason} />
            </span>
          )}
        </span>
        <span className="flex basis-full gap-3 text-sm text-muted tabular-nums lg:basis-auto">
          <span className={column.number}>#{build.number}</span>
          <RelativeTime seconds={build.created} className={`truncate ${column.time}`} />
          <Duration
            status={build.status}
            started={build.started}
            finished={build.finished}
            className={column.duration}
          />
        </span>
      </span>
    </>
  )
}

const words = (of: LatestOf, build: Build): string =>
  [
    labelOf(of, build),
    shortHash(build.after),
    committerOf(build),
    buildTitle(build),
    `#${build.number}`,
    of === 'Environment' ? deployedBy(build) : '',
    reasonOf(build)?.text ?? '',
  ].join(' ')

interface RowProps {
  of: LatestOf
  build: Build
  namespace: string
  name: string
  reach: Reach
}

const Row = memo(function Row({ of, build, namespace, name, reach }: RowProps) {
  const { ref, near, style } = useNear(reach)
  return (
    <li ref={ref} style={style} className="border-b border-line last:border-b-0">
      <Link
        data-row
        came="follow"
        href={paths.build(namespace, name, build.number)}
        className="flex min-h-13 items-center gap-3 px-4 py-1.5 -outline-offset-2 hover:bg-raised"
      >
        {near ? <Whole of={of} build={build} /> : words(of, build)}
      </Link>
    </li>
  )
})

/** The last build of each branch or environment, the newest first: servers answer in no order (docs/api §1.15). */
export function LatestList({ of, builds, repo }: { of: LatestOf; builds: readonly Build[]; repo: Repo }) {
  const newestFirst = useMemo(() => builds.toSorted((a, b) => b.number - a.number), [builds])
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <Head of={of} />
      <ul>
        {newestFirst.map((build, index) => (
          <Row
            key={build.number}
            of={of}
            build={build}
            namespace={repo.namespace}
            name={repo.name}
            reach={reachOf(index, builds.length)}
          />
        ))}
      </ul>
    </div>
  )
}
