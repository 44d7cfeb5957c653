import { formatDuration } from '../../lib/duration.ts'
import { formatNumber } from '../../lib/text.ts'
import { Scroller } from '../../ui/scroller.tsx'
import { StepChart } from './step-chart.tsx'
import type { StepTimes } from './step-times.ts'

import './times.css'

const durationText = (seconds: number | undefined): string => (seconds === undefined ? '–' : formatDuration(seconds))
const figure = 'px-3 py-2 text-right whitespace-nowrap tabular-nums'

function StepRow({ one }: { one: StepTimes }) {
  const { stage, step, runs, failed, change } = one
  return (
    <tr className="border-t border-line">
      <th scope="row" className="px-3 py-2 text-left font-medium md:px-4">
        <span className="block max-w-50 truncate" title={`${stage} › ${step}`}>
          {step}
        </span>
        <span className="block max-w-50 truncate text-sm font-normal text-muted">{stage}</span>
      </th>
      <td className="w-1/2 px-3 py-2 max-md:hidden">
        <StepChart runs={runs} change={change?.build} />
      </td>
      <td className={figure}>{durationText(one.median)}</td>
      <td className={figure}>{durationText(one.maxRuns)}</td>
      <td className={figure}>
        {failed > 0 ? <span className="text-danger">{formatNumber(failed)}</span> : '0'}
        <span className="text-muted"> of {formatNumber(runs.length)}</span>
      </td>
    </tr>
  )
}

/** The numbers of each step, slowest first, with a chart. */
export function TimesTable({ steps, caption }: { steps: readonly StepTimes[]; caption: string }) {
  return (
    <Scroller className="rounded-lg border border-line bg-surface" role="region" aria-label="Durations of all steps">
      <table className="w-full">
        <caption className="px-4 py-2 text-left text-sm text-muted">{caption}</caption>
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col" className="px-3 py-1 text-left font-normal md:px-4">
              Step
            </th>
            <th scope="col" className="px-3 py-1 text-left font-normal max-md:hidden">
              Runs
            </th>
            <th scope="col" className="px-3 py-1 text-right font-normal">
              Median
            </th>
            <th scope="col" className="px-3 py-1 text-right font-normal">
              90% within
            </th>
            <th scope="col" className="px-3 py-1 text-right font-normal">
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <StepRow key={`${step.stage} ${step.step}`} one={step} />
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
