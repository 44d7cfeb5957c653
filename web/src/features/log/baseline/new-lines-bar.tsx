import { moveFocusOnRemoval } from '../../../browser/move-focus-on-removal.ts'
import { paths } from '../../../lib/paths.ts'
import { formatNumber } from '../../../lib/text.ts'
import { cx } from '../../../ui/class-names.ts'
import { Button } from '../../../ui/button.tsx'
import { Link } from '../../../ui/link.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Baseline } from './known-lines.ts'
import type { StepAddress } from '../step/step-address.ts'
import type { Progress } from './compare.ts'
import type { NewLines } from './use-new-lines.ts'
import type { OnlyNew } from './use-only-new.ts'

interface KnownProps {
  address: StepAddress
  run: Baseline
  count: number
  view: OnlyNew
}

/** "N lines not in the last successful run (#41)", and the view that shows only these. */
function Known({ address: { namespace, name }, run, count, view }: KnownProps) {
  const isOn = view.lines !== undefined
  const link = (
    <Link href={paths.build(namespace, name, run.build, run.stage, run.step)} className="underline touch:py-3">
      #{run.build}
    </Link>
  )
  return (
    <>
      <span>
        {count === 0 ? (
          <>No new lines since the last successful run ({link})</>
        ) : (
          <>
            {formatNumber(count)} {count === 1 ? 'line' : 'lines'} not in the last successful run ({link})
          </>
        )}
      </span>
      {count > 0 && (
        <Button
          size="sm"
          variant={isOn ? 'primary' : 'secondary'}
          aria-pressed={isOn}
          aria-keyshortcuts="o"
          title={`Press O to show ${isOn ? 'all lines' : 'only these lines'}`}
          onClick={view.toggle}
        >
          Only new lines
        </Button>
      )}
    </>
  )
}

const sizeOf = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

interface ReadingProps {
  progress: Progress | undefined
  onStop: () => void
  onRemoved: () => void
}

function Reading({ progress, onStop, onRemoved }: ReadingProps) {
  return (
    <>
      <span role="status">
        {progress ? `Reading the log of #${progress.build}…` : 'Looking for the last successful run…'}
      </span>
      {/* Separate from the announced text, because it changes all the time. */}
      {progress && progress.bytes > 0 && <span className="tabular-nums">{sizeOf(progress.bytes)}</span>}
      <Button ref={moveFocusOnRemoval(onRemoved)} size="sm" onClick={onStop}>
        Stop
      </Button>
    </>
  )
}

const newLinesText = (view: OnlyNew): string =>
  view.lines ? 'Only new lines are shown.' : view.left ? 'Showing all lines, because the linked line is not new.' : ''

interface NewLinesBarProps {
  address: StepAddress
  newLines: NewLines
  view: OnlyNew
  /** Uses two lines for the text. */
  compact: boolean
  /** The element that had the focus is removed. */
  onGone: () => void
}

/**
 * Below the log of a failed step: its new lines. The row exists from the start, so that nothing
 * moves.
 */
export function NewLinesBar({ address, newLines, view, compact, onGone }: NewLinesBarProps) {
  if (newLines.state === 'none') return null
  return (
    <div className={cx('flex min-w-0 items-center gap-3 text-muted touch:min-h-11', compact ? 'min-h-9' : 'min-h-7')}>
      {view.left && <span className="text-warning">{newLinesText(view)}</span>}
      <span role="status" className="sr-only">
        {newLinesText(view)}
      </span>
      {newLines.state === 'waiting' && <Skeleton className="h-4 w-72 min-w-0" />}
      {newLines.state === 'known' && (
        <Known address={address} run={newLines.run} count={newLines.lines.length} view={view} />
      )}
      {newLines.state === 'without' && <span role="status">{newLines.words}</span>}
      {newLines.state === 'without' && newLines.again && (
        <Button ref={moveFocusOnRemoval(onGone)} size="sm" onClick={newLines.again}>
          Try again
        </Button>
      )}
      {newLines.state === 'offered' && (
        <Button
          ref={moveFocusOnRemoval(onGone)}
          size="sm"
          aria-keyshortcuts="o"
          title="Press O to see which lines are new"
          onClick={newLines.compare}
        >
          Compare with the last successful run{newLines.build === undefined ? '' : ` (#${newLines.build})`}
        </Button>
      )}
      {newLines.state === 'reading' && (
        <Reading progress={newLines.progress} onStop={newLines.stop} onRemoved={onGone} />
      )}
    </div>
  )
}
