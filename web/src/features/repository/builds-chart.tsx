import { iconGroup, type Build, type IconGroup, type Repo } from '@flightdeck/api'

import { barsOf, chartBars, chartHeight, type Bar } from './chart.ts'
import { formatDuration } from '../../lib/duration.ts'
import { paths } from '../../lib/paths.ts'
import { cx } from '../../ui/class-names.ts'
import { useNow } from '../../browser/clock.ts'
import { Link } from '../../ui/link.tsx'

const colours: Record<IconGroup, string> = {
  cross: 'bg-danger',
  dash: 'bg-inert',
  circle: 'bg-warning',
  tick: 'bg-success',
}

/** A chart too wide for the screen begins with its newest builds. */
const toNewest = (box: HTMLElement | null): void => {
  if (box) box.scrollLeft = box.scrollWidth
}

const nameOf = ({ number, status, started, finished }: Build, now: number): string =>
  [`#${number}`, status, started > 0 && formatDuration((finished || now) - started)].filter(Boolean).join(' ')

function BarLink({ bar: { build, height }, repo, now }: { bar: Bar; repo: Repo; now: number }) {
  const name = nameOf(build, now)
  return (
    <li className="flex min-w-2 flex-1">
      <Link
        href={paths.build(repo.namespace, repo.name, build.number)}
        aria-label={name}
        title={name}
        className="group flex w-full items-end rounded-sm hover:bg-raised"
      >
        <span
          className={cx('block w-full rounded-sm opacity-85 group-hover:opacity-100', colours[iconGroup(build.status)])}
          style={{ height }}
        />
      </Link>
    </li>
  )
}

/** Durations of the last 50 builds; sizes are those of specification §9 (170 high, bars at least 8, gaps 12). */
export function BuildsChart({ repo, builds }: { repo: Repo; builds: readonly Build[] }) {
  const running = builds.slice(0, chartBars).some((build) => build.started > 0 && !build.finished)
  const now = useNow(running ? 'second' : 'never')
  return (
    <section aria-label="Durations of the last builds" className="rounded-lg border border-line bg-surface p-4">
      <ol ref={toNewest} className="flex items-stretch gap-3 overflow-x-auto" style={{ height: chartHeight }}>
        {barsOf(builds, now).map((bar) => (
          <BarLink key={bar.build.number} bar={bar} repo={repo} now={now} />
        ))}
      </ol>
    </section>
  )
}
