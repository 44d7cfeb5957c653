import type { Build, Repo } from '@flightdeck/api'
import { useId } from 'react'

import { paths } from '../../../lib/paths.ts'
import { reasonOf, shownStatus } from '../../../lib/reason.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Link } from '../../../ui/link.tsx'
import { ReasonText } from '../../../ui/reason.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { ShowMore, type More } from '../../../ui/show-more.tsx'
import { StatusIcon } from '../../../ui/status-icon.tsx'
import { shortHash } from '../../events/index.ts'
import { deployedBy } from './words.ts'

export interface DeploymentHistoryProps {
  repo: Repo
  environment: string
  builds: readonly Build[]
  current: Build | undefined
  more: More
  /** Why this user cannot deploy here. */
  refused: string | undefined
  /** Absent if the user has no write access. */
  onRollBack: ((build: Build) => void) | undefined
}

function Deployment({ repo, build, current, refused, onRollBack }: DeploymentHistoryProps & { build: Build }) {
  const reason = reasonOf(build)
  const isCurrent = build.number === current?.number
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 last:border-b-0">
      <StatusIcon status={shownStatus(build)} />
      <span className="flex min-w-0 flex-1 basis-40 flex-col">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2">
          <Link
            href={paths.build(repo.namespace, repo.name, build.number)}
            via="follow"
            className="font-medium text-accent hover:underline"
          >
            #{build.number}
          </Link>
          {build.after && <Chip>{shortHash(build.after)}</Chip>}
          {isCurrent && <span className="text-sm font-medium text-success">Current</span>}
        </span>
        <span className="text-sm text-muted">
          <bdi>{deployedBy(build)}</bdi>, <RelativeTime seconds={build.created} />
        </span>
        {reason && (
          <span className="line-clamp-2 text-sm">
            <ReasonText reason={reason} />
          </span>
        )}
      </span>
      {onRollBack && !isCurrent && (
        <Button
          size="sm"
          aria-label={`Roll back to #${build.number}`}
          disabledReason={refused}
          onClick={() => onRollBack(build)}
        >
          Roll back to this
        </Button>
      )}
    </li>
  )
}

/** The deployments to one environment, newest first. */
export function DeploymentHistory(props: DeploymentHistoryProps) {
  const { builds, more } = props
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="font-semibold">
        History
      </h2>
      {builds.length === 0 && <p className="py-2 text-muted">No deployments yet.</p>}
      <ul>
        {builds.map((build) => (
          <Deployment key={build.number} {...props} build={build} />
        ))}
      </ul>
      <ShowMore more={more} what="deployments" label="Show older deployments" />
    </section>
  )
}
