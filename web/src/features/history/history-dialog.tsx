import type { FailedPlace, StepHistory } from '@flightdeck/api'

import { useCapability } from '../../api/capabilities.ts'
import { useNow } from '../../browser/clock.ts'
import { paths } from '../../lib/paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { shortHash } from '../events/index.ts'
import type { FailedAt } from './use-history.ts'
import { countOf, dayOf, figuresOf, isFlaky, mixedOf } from './words.ts'

const linkClass = 'rounded-sm text-accent underline touch:inline-flex touch:min-h-11 touch:items-center'

/** A namespace can contain slashes, a name cannot. */
const partsOf = (slug: string): [namespace: string, name: string] => {
  const at = slug.lastIndexOf('/')
  return [slug.slice(0, at), slug.slice(at + 1)]
}

/** Only Flightdeck has pages for commits. */
function Commit({ slug, sha }: { slug: string; sha: string }) {
  const own = useCapability('commits')
  const short = <span className="font-mono text-sm">{shortHash(sha)}</span>
  if (!own) return short
  return (
    <Link href={paths.commit(...partsOf(slug), sha)} className={linkClass}>
      {short}
    </Link>
  )
}

function BuildLink({ slug, number }: { slug: string; number: number }) {
  return (
    <Link href={paths.build(...partsOf(slug), number)} className={linkClass}>
      #{number}
    </Link>
  )
}

function Place({ place: { slug, number, stage, step, created } }: { place: FailedPlace }) {
  return (
    <li className="flex h-8 items-center gap-3 touch:h-11">
      <Link href={paths.build(...partsOf(slug), number, stage, step)} className={`min-w-0 truncate ${linkClass}`}>
        {slug} #{number}
      </Link>
      <RelativeTime seconds={created} className="ml-auto shrink-0 text-sm text-muted" />
    </li>
  )
}

function Seen({ seen, slug }: { seen: NonNullable<StepHistory['seen']>; slug: string }) {
  const now = useNow('minute')
  const { ended } = seen
  return (
    <section aria-label="Builds that failed with the same line">
      <p>
        Seen {countOf(seen)} since {dayOf(seen.since, now)}, including this build
        {ended ? (
          <>
            , last fixed by <Commit slug={ended.slug} sha={ended.commit} /> in {ended.slug !== slug && `${ended.slug} `}
            <BuildLink slug={ended.slug} number={ended.number} />.
          </>
        ) : (
          '.'
        )}
      </p>
      <p className="mt-3 text-sm text-muted">Before this build:</p>
      <ul>
        {seen.places.map((place) => (
          <Place key={`${place.slug} ${place.number}`} place={place} />
        ))}
      </ul>
    </section>
  )
}

function Runs({ runs, slug, own }: { runs: NonNullable<StepHistory['runs']>; slug: string; own: boolean }) {
  return (
    <section aria-label="Recent runs">
      <p>
        {/* With other servers only the list of builds is known, which does not contain steps. */}
        {own ? '' : 'The whole build: '}
        {figuresOf(runs)}
        {/* Not if the runs are of another branch. */}
        {runs.branch === undefined && ', including this one'}
        {isFlaky(runs) ? `; ${mixedOf(runs)}: flaky.` : '.'}
      </p>
      {isFlaky(runs) && (
        <ul className="mt-2">
          {runs.mixed.map(({ commit, failed, passed }) => (
            <li key={commit} className="flex h-8 items-center gap-3 touch:h-11">
              <Commit slug={slug} sha={commit} />
              <span>
                failed in <BuildLink slug={slug} number={failed} />, passed in <BuildLink slug={slug} number={passed} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

export interface HistoryDialogProps {
  at: FailedAt
  title: string
  history: Partial<StepHistory>
  open: boolean
  onClose: () => void
}

/**
 * How often the step has failed with the same error, including this time, with links to earlier
 * cases.
 */
export function HistoryDialog({ at, title, history: { seen, runs }, open, onClose }: HistoryDialogProps) {
  const own = useCapability('commits')
  const slug = `${at.namespace}/${at.name}`
  return (
    <Dialog open={open} onClose={onClose} title={title} size="md">
      <div className="flex flex-col gap-5">
        {seen && <Seen seen={seen} slug={slug} />}
        {runs && <Runs runs={runs} slug={slug} own={own} />}
      </div>
    </Dialog>
  )
}
