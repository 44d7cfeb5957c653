import type { FoundBuild, FoundHit } from '@flightdeck/api'

import { paths } from '../../../lib/paths.ts'
import { formatNumber, plural } from '../../../lib/text.ts'
import { Link } from '../../../ui/link.tsx'
import { printAnchor } from '../step/anchor.ts'
import type { StepAddress } from '../step/step-address.ts'
import { formatDay } from './day.ts'
import type { FoundStep, HitTimes } from './multi-log-search.ts'

function Hit({ href, hit, time, title }: { href: string; hit: FoundHit; time: string; title: string }) {
  return (
    <li>
      <Link
        href={`${href}#${printAnchor({ from: hit.number, to: hit.number })}`}
        className="flex gap-2 px-3 py-0.5 font-mono text-sm hover:bg-raised touch:py-2.5"
      >
        <span className="min-w-12 shrink-0 text-right text-muted tabular-nums">{hit.number}</span>
        <span className="min-w-0 flex-1 truncate whitespace-pre">
          {hit.before}
          <mark className="rounded-xs bg-warning-soft text-ink">{hit.text}</mark>
          {hit.after}
        </span>
        <span className="shrink-0 text-muted tabular-nums" title={title}>
          {time}
        </span>
      </Link>
    </li>
  )
}

/** `#120 · main · 2 Nov · octocat`, without unknown parts. */
const wordsOf = ({ number, branch, created, author }: FoundBuild): string =>
  [`#${number}`, branch, created > 0 && formatDay(created), author].filter(Boolean).join(' · ')

/** The hits in one step, each with a link to its line. */
export function FoundInStep({ step, current, times }: { step: FoundStep; current: StepAddress; times: HitTimes }) {
  const { namespace, name, build, stage, step: number } = step.address
  const href = paths.build(namespace, name, build, stage, number)
  const isHere = build === current.build && stage === current.stage && number === current.step
  const more = step.count - step.hits.length
  return (
    <li>
      <p className="flex flex-wrap items-baseline gap-x-2 px-3 pt-1.5 text-sm">
        {step.build && <span className="text-muted tabular-nums">{wordsOf(step.build)}</span>}
        <Link href={href} className="min-w-0 truncate font-medium text-ink hover:underline touch:py-3">
          {step.label}
        </Link>
        <span className="shrink-0 text-muted">
          {plural(step.count, 'result', 'results')}
          {isHere && ' · this step'}
        </span>
      </p>
      <ul>
        {step.hits.map((hit) => (
          <Hit
            key={`${hit.number} ${hit.column}`}
            href={href}
            hit={hit}
            time={times.textOf(step, hit)}
            title={times.name}
          />
        ))}
      </ul>
      {more > 0 && <p className="px-3 py-0.5 text-sm text-muted">and {formatNumber(more)} more</p>}
    </li>
  )
}
