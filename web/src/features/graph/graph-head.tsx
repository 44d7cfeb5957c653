import { useNow } from '../../browser/clock.ts'
import { formatDuration } from '../../lib/duration.ts'
import type { NodeItem } from './graph-node.tsx'
import { ZoomControls, type ZoomControlsProps } from './zoom-controls.tsx'

export interface GraphHeadProps extends ZoomControlsProps {
  /** "9 stages". */
  title: string
  /** The path that decides how long the whole takes, in order; nobody knows it before something ran. */
  critical: readonly NodeItem[] | undefined
  /** Something is still to come. */
  unfinished: boolean
  /** Pixels at the right end that the drawer covers. */
  covered: number
}

/** What the nodes of the path took together; only this is drawn again each second. */
function Together({ path }: { path: readonly NodeItem[] }) {
  const now = useNow(path.some(({ stopped }) => !stopped) ? 'second' : 'never')
  const seconds = path.reduce((sum, { started = 0, stopped }) => sum + Math.max(0, (stopped || now) - started), 0)
  return <span className="tabular-nums">{formatDuration(seconds)}</span>
}

/** In pixels: `h-10`, and `h-11` for fingers, which grow with the reader's letters. */
export const headHeight = (): number => {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
  return rem * (matchMedia('(pointer: coarse)').matches ? 2.75 : 2.5)
}

/** Above a graph: what it shows, how long it must take, and its zoom. Nothing of it lies on the graph. */
export function GraphHead({ title, critical, unfinished, covered, ...zoom }: GraphHeadProps) {
  return (
    <header
      className="flex h-10 shrink-0 items-center gap-3 border-b border-line pl-4 touch:h-11"
      style={{ paddingRight: covered + 8 }}
    >
      <div className="flex min-w-0 flex-1 flex-wrap gap-x-3 text-sm text-muted">
        <h2 className="truncate font-medium text-ink">{title}</h2>
        {critical && (
          <p title={critical.map(({ name: one }) => one).join(' → ')}>
            Critical path{unfinished && ' so far'} <Together path={critical} />
          </p>
        )}
      </div>
      <ZoomControls {...zoom} />
    </header>
  )
}
