import type { Build, Repo } from '@flightdeck/api'
import type { ReactNode } from 'react'

import { paths } from '../../lib/paths.ts'
import { buildTitle } from '../../lib/text.ts'
import { actorOf } from '../../lib/actor.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { Duration } from '../../ui/duration.tsx'
import { Link } from '../../ui/link.tsx'
import { AbsoluteTime } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RemainingTime } from '../timeline/timeline.tsx'
import { userActionsOf, EventDescription, eventDescription } from '../events/index.ts'

export interface BuildHeaderProps {
  namespace: string
  name: string
  number: number
  build: Build | undefined
  repo: Repo | undefined
  /** View toggles and actions. */
  children: ReactNode
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  )
}

function Facts({ namespace, name, build }: { namespace: string; name: string; build: Build }) {
  return (
    <dl className="flex flex-wrap gap-x-5 text-sm">
      <Fact name="Started">{build.started ? <AbsoluteTime seconds={build.started} /> : '–'}</Fact>
      <Fact name="Created">
        <AbsoluteTime seconds={build.created} />
      </Fact>
      <Fact name="Duration">
        <Duration status={build.status} started={build.started} finished={build.finished} />
        <RemainingTime namespace={namespace} name={name} build={build} />
      </Fact>
    </dl>
  )
}

/** The people who restarted, approved or ended it. */
function UserActions({ build }: { build: Build }) {
  const actions = userActionsOf(build)
  if (actions.length === 0) return null
  return (
    <ul aria-label="Activity" className="flex flex-wrap gap-x-5 text-sm text-muted">
      {actions.map(({ text, at }) => (
        <li key={text} className="min-w-0">
          <bdi>{text}</bdi>
          {at !== undefined && (
            <>
              {', '}
              <AbsoluteTime seconds={at} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function HeaderSkeleton() {
  return (
    <>
      <Skeleton className="h-7 w-2/3 max-w-120" />
      <Skeleton className="mt-0.5 h-5 w-1/2 max-w-90" />
      <div className="mt-1 flex flex-wrap gap-x-5">
        {['w-48', 'w-49', 'w-25'].map((width) => (
          <Skeleton key={width} className={`h-4.5 ${width}`} />
        ))}
      </div>
    </>
  )
}

type AboutProps = Pick<BuildHeaderProps, 'namespace' | 'name' | 'repo'> & { build: Build }

function About({ namespace, name, build, repo }: AboutProps) {
  const who = actorOf(build)
  return (
    <>
      <h1 className="truncate text-xl font-semibold" title={build.message || undefined}>
        {buildTitle(build) || `Build #${build.number}`}
      </h1>
      <div className="mt-0.5 flex min-h-5 min-w-0 items-center gap-2 text-muted">
        {who.login && <Avatar login={who.login} src={who.avatar} size={18} />}
        <p className="min-w-0">{repo ? <EventDescription build={build} repo={repo} /> : eventDescription(build)}</p>
      </div>
      {/* The person who canceled it is named beside the times if there is room: nothing moves. */}
      <div className="mt-1 flex flex-wrap gap-x-5">
        <Facts namespace={namespace} name={name} build={build} />
        <UserActions build={build} />
      </div>
    </>
  )
}

/**
 * The header of a build: number, title, event and times; its view toggles and actions on the right.
 */
export function BuildHeader({ namespace, name, number, build, repo, children }: BuildHeaderProps) {
  const home = paths.repo(namespace, name)
  return (
    <header className="shrink-0 border-b border-line bg-canvas px-4 py-3 md:px-6">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <div className="flex min-w-0 items-center gap-1.5 text-sm text-muted">
            <Link
              href={home}
              className="min-w-0 truncate rounded-sm hover:text-ink hover:underline touch:-my-3.25 touch:py-3.25"
            >
              {namespace}/{name}
            </Link>
            <span aria-hidden="true">/</span>
            <Breadcrumb items={[{ label: 'Builds', to: home }, { label: `#${number}` }]} />
          </div>
          {build ? <About namespace={namespace} name={name} build={build} repo={repo} /> : <HeaderSkeleton />}
        </div>
        {/* On a separate row if one more button would move it there. */}
        <div className="flex max-w-full shrink-0 flex-wrap items-center gap-2 max-lg:w-full">{children}</div>
      </div>
    </header>
  )
}
