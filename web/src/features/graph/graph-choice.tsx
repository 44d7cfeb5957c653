import { cx } from '../../ui/class-names.ts'

interface GraphChoiceProps {
  chosen: 'stage' | 'step'
  /** `Steps of test`; undefined while no stage is selected. */
  steps: string | undefined
  onChoose: (chosen: 'stage' | 'step') => void
}

/** On narrow screens two graphs would be too small to use, so one is shown at a time. */
export function GraphChoice({ chosen, steps, onChoose }: GraphChoiceProps) {
  const choices = [
    { value: 'stage', label: 'Stages' },
    { value: 'step', label: steps ?? 'Steps' },
  ] as const
  return (
    <div role="group" aria-label="Graph" className="flex shrink-0 gap-1 border-b border-line bg-surface px-2 py-1">
      {choices.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          className={cx(
            'h-8 min-w-0 truncate rounded-md px-3 text-sm font-medium touch:h-11',
            value === chosen ? 'bg-accent-soft text-ink' : 'text-muted hover:text-ink',
          )}
          onClick={() => onChoose(value)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
