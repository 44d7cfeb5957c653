import type { Build, Repo } from '@flightdeck/api'
import { Fragment } from 'react'

import { useCapability } from '../../api/capabilities.ts'
import { manualActorOf } from '../../lib/actor.ts'
import { eventParts, type EventPart } from './event-text.ts'
import { restartOf } from './user-actions.ts'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { linkOf } from './forge-links.ts'

const partClass = (part: EventPart, linked: boolean): string =>
  cx(
    (part.kind === 'commit' || part.kind === 'branch' || part.kind === 'tag' || part.kind === 'fork') &&
      'font-mono text-xs',
    linked && 'rounded-sm text-accent hover:underline',
  )

function Part({ part, build, repo }: { part: EventPart; build: Build; repo: Repo }) {
  const link = linkOf(part, build, repo, useCapability('commits'))
  // A name can have bidirectional characters, which must only affect the name.
  const text = <bdi>{part.text}</bdi>
  if (!link) return <span className={partClass(part, false)}>{text}</span>
  return link.external ? (
    <a href={link.href} target="_blank" rel="noreferrer" className={partClass(part, true)}>
      {text}
    </a>
  ) : (
    <Link via={part.kind === 'parent' ? 'follow' : 'press'} href={link.href} className={partClass(part, true)}>
      {text}
    </Link>
  )
}

/**
 * The person who restarted it, with a link to the earlier build; before the description of the
 * first build.
 */
function Restart({ build, repo }: { build: Build; repo: Repo }) {
  const [before, after] = restartOf(build)?.split(`#${build.parent}`) ?? []
  if (before === undefined) return null
  const actor = manualActorOf(build) ?? ''
  return (
    <>
      <bdi>{actor}</bdi>
      {before.slice(actor.length)}
      <Part part={{ kind: 'parent', text: `#${build.parent}` }} build={build} repo={repo} />
      {after}
      {' · '}
    </>
  )
}

/**
 * The trigger of a build, with links to its commit, branch, pull request or source build. For the
 * build page.
 */
export function EventDescription({ build, repo }: { build: Build; repo: Repo }) {
  const restart = restartOf(build) && manualActorOf(build)
  return (
    <>
      <Restart build={build} repo={repo} />
      {eventParts(build, restart, repo.slug).map((part, index) => (
        // The parts of a sentence are identified by their position.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          {index > 0 && ' '}
          <Part part={part} build={build} repo={repo} />
        </Fragment>
      ))}
    </>
  )
}
