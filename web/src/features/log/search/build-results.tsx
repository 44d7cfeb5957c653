import type { StepHit } from '@flightdeck/api'

import { printAnchor } from '../anchor.ts'
import type { StepAddress } from '../step-address.ts'
import { paths } from '../../../lib/paths.ts'
import { formatNumber } from '../../../lib/text.ts'
import { Link } from '../../../ui/link.tsx'
import type { BuildSearchView } from './use-build-search.ts'

const plural = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

const summary = ({ found, done, total, unread, running }: BuildSearchView): string => {
  const count = found.reduce((sum, { hits }) => sum + hits.count, 0)
  const parts = [
    `${plural(count, 'result', 'results')} in ${plural(found.length, 'step', 'steps')}`,
    done < total && `${formatNumber(done)} of ${formatNumber(total)} steps searched…`,
    unread > 0 && `${plural(unread, 'log', 'logs')} could not be read`,
    running > 0 && `${plural(running, 'step', 'steps')} still running and not searched`,
  ]
  return parts.filter((part) => part !== false).join(' · ')
}

function Hit({ href, hit }: { href: string; hit: StepHit }) {
  return (
    <li>
      <Link
        href={`${href}#${printAnchor({ from: hit.number, to: hit.number })}`}
        className="flex gap-2 px-3 py-0.5 font-mono text-sm hover:bg-raised touch:py-2.5"
      >
        <span className="min-w-12 shrink-0 text-right text-muted tabular-nums">{hit.number}</span>
        <span className="truncate whitespace-pre">
          {hit.before}
          <mark className="rounded-xs bg-warning-soft text-ink">{hit.text}</mark>
          {hit.after}
        </span>
      </Link>
    </li>
  )
}

/** What was found in all steps of the build, each as a link to its line. */
export function BuildResults({ view, current }: { view: BuildSearchView; current: StepAddress }) {
  return (
    <div className="flex max-h-2/5 shrink-0 flex-col border-b border-line bg-surface">
      <p role="status" className="px-3 py-1.5 text-sm text-muted">
        {view.error ?? summary(view)}
      </p>
      <ul className="min-h-0 overflow-y-auto pb-1">
        {view.found.map(({ step, hits }) => {
          const { namespace, name, build, stage, step: number } = step.address
          const href = paths.build(namespace, name, build, stage, number)
          const isHere = stage === current.stage && number === current.step
          return (
            <li key={`${stage}/${number}`}>
              <p className="flex items-baseline gap-2 px-3 pt-1.5 text-sm">
                <span className="min-w-0 truncate font-medium text-ink">{step.label}</span>
                <span className="shrink-0 text-muted">
                  {plural(hits.count, 'result', 'results')}
                  {isHere && ' · this step'}
                </span>
              </p>
              <ul>
                {hits.hits.map((hit) => (
                  <Hit key={`${hit.number} ${hit.column}`} href={href} hit={hit} />
                ))}
              </ul>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
