import { pullNumber, type Build, type Repo } from '@flightdeck/api'
import { ChevronRight, ExternalLink, GitBranch, GitPullRequest, Layers, type LucideIcon } from 'lucide-react'
import { memo, useMemo, type ReactNode } from 'react'

import { failureReasonOf } from '../../api/failure-reason.ts'
import { pullLink, shortHash, sourceWords } from '../events/index.ts'
import { paths } from '../../lib/paths.ts'
import { shownStatus } from '../../lib/reason.ts'
import { buildTitle } from '../../lib/text.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Duration } from '../../ui/duration.tsx'
import { Link } from '../../ui/link.tsx'
import { ReasonText } from '../../ui/reason.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { deployedBy } from './environments/words.ts'
import { renderModeOf, useLazyRow, type RenderMode } from '../../browser/use-lazy-row.ts'

export type LatestOf = 'Branch' | 'Environment' | 'Pull request'

interface Kind {
  icon: LucideIcon
  /** The specification names the first two. */
  person: 'Committer' | 'Author'
  label: (build: Build) => string
  /** A second line. */
  note: (build: Build, slug: string) => string
}

/**
 * Column widths shared by header and rows. The first four are the specification's and are columns
 * from 640 px; Flightdeck's own are below them until there is room at 1024 px.
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
      <span className={column.committer}>{kinds[of].person}</span>
      <span className={column.message}>Message</span>
      <span className={`${ours} ${column.number}`}>Build</span>
      <span className={`${ours} ${column.time}`}>Time</span>
      <span className={`${ours} ${column.duration}`}>Duration</span>
      {of !== 'Branch' && <span className="w-9" />}
    </div>
  )
}

const committerOf = (build: Build): string => build.author_login || build.sender

const kinds: Readonly<Record<LatestOf, Kind>> = {
  Branch: { icon: GitBranch, person: 'Committer', label: ({ target }) => target, note: () => '' },
  Environment: { icon: Layers, person: 'Committer', label: ({ deploy_to }) => deploy_to ?? '', note: deployedBy },
  'Pull request': {
    icon: GitPullRequest,
    person: 'Author',
    label: ({ ref }) => `#${pullNumber(ref) || '?'}`,
    note: sourceWords,
  },
}

function Whole({ of, build, slug }: { of: LatestOf; build: Build; slug: string }) {
  const { icon: Icon, label: labelOf, note: noteOf } = kinds[of]
  const label = labelOf(build)
  const login = committerOf(build)
  const reason = failureReasonOf(build)
  const note = noteOf(build, slug)
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
          {note && (
            <span className="truncate text-sm text-muted">
              <bdi>{note}</bdi>
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

/** The text of a row. */
export const rowText = (of: LatestOf, build: Build, slug: string): string =>
  [
    kinds[of].label(build),
    shortHash(build.after),
    committerOf(build),
    buildTitle(build),
    `#${build.number}`,
    kinds[of].note(build, slug),
    failureReasonOf(build)?.text ?? '',
  ].join(' ')

interface RowProps {
  of: LatestOf
  build: Build
  namespace: string
  name: string
  /** The pull request's page at the forge. */
  link: string | undefined
  renderMode: RenderMode
  /** Opens or closes the panel below the row of an environment. */
  onToggle?: ((build: Build) => void) | undefined
  /** The open content below the row. */
  children?: ReactNode
}

/** Next to the row, which links to the build. */
function PullLink({ href, build }: { href: string | undefined; build: Build }) {
  if (!href) return <span className="w-12 shrink-0" />
  const name = `Open pull request #${pullNumber(build.ref)}`
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      aria-label={name}
      title={name}
      className="flex w-12 shrink-0 items-center justify-center text-muted -outline-offset-2 hover:bg-raised hover:text-ink"
    >
      <ExternalLink className="size-4" aria-hidden="true" />
    </a>
  )
}

/** Next to the row, which links to the build. */
function ToggleButton({
  build,
  isOpen,
  onToggle,
}: {
  build: Build
  isOpen: boolean
  onToggle: (build: Build) => void
}) {
  return (
    <button
      type="button"
      aria-label={`Environment ${build.deploy_to}`}
      title="Deployment history and differences"
      aria-expanded={isOpen}
      className="flex w-12 shrink-0 items-center justify-center text-muted -outline-offset-2 hover:bg-raised hover:text-ink"
      onClick={() => onToggle(build)}
    >
      <ChevronRight className={`size-4 ${isOpen ? 'rotate-90' : ''}`} aria-hidden="true" />
    </button>
  )
}

const Row = memo(function Row({ of, build, namespace, name, link, renderMode, onToggle, children }: RowProps) {
  const slug = `${namespace}/${name}`
  const { ref, isNear, style } = useLazyRow(renderMode)
  return (
    <li ref={ref} style={style} className="border-b border-line last:border-b-0">
      <div className="flex">
        <Link
          data-row
          via="follow"
          href={paths.build(namespace, name, build.number)}
          className="flex min-h-(--row) min-w-0 flex-1 items-center gap-3 px-4 py-(--row-space) -outline-offset-2 hover:bg-raised"
        >
          {isNear ? <Whole of={of} build={build} slug={slug} /> : rowText(of, build, slug)}
        </Link>
        {of === 'Pull request' && isNear && <PullLink href={link} build={build} />}
        {onToggle && isNear && <ToggleButton build={build} isOpen={Boolean(children)} onToggle={onToggle} />}
      </div>
      {children}
    </li>
  )
})

interface LatestListProps {
  of: LatestOf
  builds: readonly Build[]
  repo: Repo
  /** The branch that is listed first. */
  first?: string | undefined
  onToggle?: (build: Build) => void
  /** The environment whose row is expanded, and the content below that row. */
  open?: string | null
  below?: ReactNode
}

/**
 * The last build of each branch, environment or pull request, newest first: servers return them in
 * any order (docs/api §1.15).
 */
export function LatestList({ of, builds, repo, first, onToggle, open, below }: LatestListProps) {
  const sorted = useMemo(() => {
    const isFirst = ({ target }: Build): number => Number(first !== undefined && target === first)
    return builds.toSorted((a, b) => isFirst(b) - isFirst(a) || b.number - a.number)
  }, [builds, first])
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <Head of={of} />
      <ul>
        {sorted.map((build, index) => (
          <Row
            // The row of an environment keeps its key after a new deployment, so that its open
            // panel stays open.
            key={onToggle ? build.deploy_to : build.number}
            of={of}
            build={build}
            namespace={repo.namespace}
            name={repo.name}
            link={of === 'Pull request' ? pullLink(repo, build) : undefined}
            renderMode={renderModeOf(index, builds.length)}
            onToggle={onToggle}
          >
            {onToggle && build.deploy_to === open && below}
          </Row>
        ))}
      </ul>
    </div>
  )
}
