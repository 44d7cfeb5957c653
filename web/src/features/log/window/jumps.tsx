import { CauseJump } from '../causes/cause-jump.tsx'
import type { Causes } from '../causes/use-causes.ts'
import { useReading, type ReadingStore } from '../reading/reading-store.ts'
import { firstShown } from '../reading/reading.ts'
import { ShowAll } from './show-all.tsx'

interface JumpsProps {
  reading: ReadingStore
  /** The number of lines in the log. */
  lines: number
  causes: Causes
  /** The element that had the focus is removed. */
  onRemoved: () => void
}

/** Buttons that jump to lines elsewhere in the log. */
export function Jumps({ reading, lines, causes, onRemoved }: JumpsProps) {
  // Uses the line count that is rendered here: during a burst the log already has more lines.
  const first = useReading(reading, (now) => firstShown({ ...now, lines }))
  return (
    <>
      <CauseJump causes={causes} onRemoved={onRemoved} />
      {first > 0 && (
        <ShowAll
          first={first}
          lines={lines}
          onShowAll={() => reading.dispatch({ type: 'asked for all' })}
          onRemoved={onRemoved}
        />
      )}
    </>
  )
}
