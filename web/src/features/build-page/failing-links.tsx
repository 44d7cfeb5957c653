import { useState } from 'react'

import { useNarrow } from '../../browser/use-narrow.ts'
import type { FailingStep } from './failing-step.ts'
import type { StageOrStep } from './stage-or-step.ts'

const look = 'rounded-sm text-left underline decoration-from-font underline-offset-2 hover:no-underline touch:min-h-11'

const wordsOf = ({ stage, step }: FailingStep): string =>
  step ? `${step.name} failed in ${stage.name}` : `${stage.name} failed`

interface FailingLinksProps {
  failing: readonly FailingStep[]
  onFailing: (to: StageOrStep) => void
}

/** All failed steps, earliest first. Long lists are shortened to one line until expanded. */
export function FailingLinks({ failing, onFailing }: FailingLinksProps) {
  const [all, setAll] = useState(false)
  const few = useNarrow() ? 1 : 3
  const isCut = !all && failing.length > few
  const shown = isCut ? failing.slice(0, few) : failing
  return (
    <span
      className={
        all
          ? 'flex max-h-40 min-w-0 flex-wrap gap-x-3 overflow-y-auto'
          : 'flex min-w-0 flex-1 basis-40 items-center gap-x-3'
      }
    >
      {shown.map((failing) => (
        <button
          key={`${failing.stage.number}/${failing.step?.number ?? 0}`}
          type="button"
          title={wordsOf(failing)}
          className={`min-w-0 truncate ${look}`}
          onClick={() => onFailing({ stage: failing.stage.number, ...(failing.step && { step: failing.step.number }) })}
        >
          {wordsOf(failing)}
        </button>
      ))}
      {isCut && (
        <button type="button" aria-expanded={false} className={`shrink-0 ${look}`} onClick={() => setAll(true)}>
          and {failing.length - few} more
        </button>
      )}
      <kbd
        aria-hidden="true"
        title="Press F for the next failed step, Shift+F for the previous one"
        className="hidden h-5 shrink-0 self-center rounded-md border border-current/30 px-1.5 font-mono text-xs leading-[18px] md:inline-block"
      >
        f
      </kbd>
    </span>
  )
}
