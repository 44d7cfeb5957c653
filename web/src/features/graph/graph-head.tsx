import { formatDuration } from '../../lib/duration.ts'
import { ZoomControls, type ZoomControlsProps } from './zoom-controls.tsx'

export interface GraphHeadProps extends ZoomControlsProps {
  /** "9 stages". */
  title: string
  /** The path that decides how long the whole takes: names in order, and seconds; nobody knows it before something ran. */
  critical: { names: readonly string[]; seconds: number } | undefined
  /** Something is still to come. */
  unfinished: boolean
  /** Pixels at the right end that the drawer covers. */
  covered: number
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
          <p title={critical.names.join(' → ')}>
            Critical path{unfinished && ' so far'}{' '}
            <span className="tabular-nums">{formatDuration(critical.seconds)}</span>
          </p>
        )}
      </div>
      <ZoomControls {...zoom} />
    </header>
  )
}
