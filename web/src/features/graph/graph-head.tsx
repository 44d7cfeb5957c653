import { useNow } from '../../browser/clock.ts'
import { pathTimes } from '../../lib/critical-path.ts'
import { formatDuration } from '../../lib/duration.ts'
import type { NodeItem } from './graph-node.tsx'
import { ZoomControls, type ZoomControlsProps } from './zoom-controls.tsx'

export interface GraphHeadProps extends ZoomControlsProps {
  /** "9 stages". */
  title: string
  /** The critical path, in order; undefined until something has run. */
  critical: readonly NodeItem[] | undefined
  /**
   * When the first of them could have started, in Unix seconds. Only stages wait for runners and
   * approvals.
   */
  created: number | undefined
  /** The build is unfinished. */
  unfinished: boolean
  /** The pixels on the right that the drawer covers. */
  covered: number
}

/** The total running and waiting time of the path; only this rerenders every second. */
function Together({ path, created }: { path: readonly NodeItem[]; created: number | undefined }) {
  const now = useNow(path.some(({ stopped }) => !stopped) ? 'second' : 'never')
  const inOrder = path.toSorted((first, second) => (first.started ?? 0) - (second.started ?? 0))
  const { ran, forRunner, forApproval } = pathTimes(inOrder, { created: created ?? inOrder[0]?.started ?? 0, now })
  // Steps wait neither for runners nor for approval.
  const waits =
    created === undefined
      ? []
      : ([
          [forRunner, 'a runner'],
          [forApproval, 'approval'],
        ] as const)
  return (
    <span className="tabular-nums">
      {formatDuration(ran)}
      {waits.map(([seconds, what]) => seconds > 0 && ` · ${formatDuration(seconds)} waiting for ${what}`)}
    </span>
  )
}

/** In pixels: `h-10`, or `h-11` on touch screens, which depend on the user's font size. */
export const headHeight = (): number => {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
  return rem * (matchMedia('(pointer: coarse)').matches ? 2.75 : 2.5)
}

/**
 * The header above a graph: its contents, its critical path and its zoom. Nothing covers the graph.
 */
export function GraphHead({ title, critical, created, unfinished, covered, ...zoom }: GraphHeadProps) {
  return (
    <header
      className="flex h-10 shrink-0 items-center gap-3 border-b border-line pl-4 touch:h-11"
      style={{ paddingRight: covered + 8 }}
    >
      <div className="flex min-w-0 flex-1 flex-wrap gap-x-3 text-sm text-muted">
        <h2 className="truncate font-medium text-ink">{title}</h2>
        {critical && (
          <p title={critical.map(({ name }) => name).join(' → ')}>
            Critical path{unfinished && ' so far'} <Together path={critical} created={created} />
          </p>
        )}
      </div>
      <ZoomControls {...zoom} />
    </header>
  )
}
