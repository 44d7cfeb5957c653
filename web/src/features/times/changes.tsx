import type { RepoTimes } from '@flightdeck/api'

import { useCapability } from '../../api/capabilities.ts'
import { formatDuration } from '../../lib/duration.ts'
import { paths } from '../../lib/paths.ts'
import { Link } from '../../ui/link.tsx'
import { shortHash } from '../events/index.ts'
import { FileChange } from './file-change.tsx'
import { changesOf, type StepTimes } from './step-times.ts'

/** Further changes are only in the table. */
const maxShown = 5

const day = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric' })
const linkClass = 'rounded-sm text-accent underline'

interface ChangesProps {
  namespace: string
  name: string
  times: RepoTimes
  steps: readonly StepTimes[]
}

function ChangeRow({
  namespace,
  name,
  times,
  one,
}: Omit<ChangesProps, 'steps'> & { one: ReturnType<typeof changesOf>[number] }) {
  const own = useCapability('commits')
  const { change, stage, step } = one
  const build = times.builds.find(({ number }) => number === change.build)
  const slower = change.after > change.before
  return (
    <li className="py-1 wrap-anywhere">
      <span className="font-medium">
        {stage} › {step}
      </span>{' '}
      <span className={slower ? 'text-warning' : 'text-success'}>{slower ? 'slower' : 'faster'}</span> since{' '}
      <Link href={paths.build(namespace, name, change.build)} className={linkClass}>
        #{change.build}
      </Link>
      {build && `, ${day.format(build.created * 1000)}`}: {formatDuration(change.before)} →{' '}
      {formatDuration(change.after)}
      {own && build && (
        <>
          {', with '}
          <Link href={paths.commit(namespace, name, build.commit)} className={`font-mono text-sm ${linkClass}`}>
            {shortHash(build.commit)}
          </Link>
          <FileChange {...{ namespace, name }} earlier={change.earlier} build={change.build} commit={build.commit} />
        </>
      )}
    </li>
  )
}

/** The steps whose duration changed, since when, and whether the pipeline file changed with it. */
export function Changes(props: ChangesProps) {
  const changes = changesOf(props.steps)
  return (
    <section aria-labelledby="times-changes" className="rounded-lg border border-line bg-surface px-4 py-3">
      <h2 id="times-changes" className="text-base font-semibold">
        Changes in step duration
      </h2>
      {changes.length === 0 ? (
        <p className="py-1 text-muted">
          No clear change. At least ten runs before and after a change are needed to detect one.
        </p>
      ) : (
        <ul>
          {changes.slice(0, maxShown).map((one) => (
            <ChangeRow key={`${one.stage} ${one.step}`} {...props} one={one} />
          ))}
        </ul>
      )}
    </section>
  )
}
