import { useId, type ReactNode } from 'react'

export interface SwitchFieldProps {
  label: string
  /** The accessible name, if the label is too short to say what it switches. */
  name?: string
  checked: boolean
  onChange: (checked: boolean) => void
  help?: ReactNode
  disabled?: boolean
}

/** A native checkbox with the role of a switch, for its label, keyboard and form behavior. */
export function SwitchField({ label, name, checked, onChange, help, disabled = false }: SwitchFieldProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-3 touch:min-h-11 touch:items-center">
      <span className="relative mt-px inline-flex h-6 w-10 shrink-0">
        <input
          id={id}
          type="checkbox"
          role="switch"
          aria-label={name}
          checked={checked}
          disabled={disabled}
          aria-describedby={help ? `${id}-help` : undefined}
          className="peer absolute inset-0 m-0 cursor-pointer appearance-none rounded-full border border-line-strong bg-raised transition-colors checked:border-transparent checked:bg-accent disabled:cursor-not-allowed disabled:opacity-55"
          onChange={(event) => onChange(event.target.checked)}
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-muted transition-transform peer-checked:translate-x-4 peer-checked:bg-on-accent"
        />
      </span>
      <div className="min-w-0">
        <label htmlFor={id} className="block pt-px text-base leading-6 text-ink">
          {label}
        </label>
        {help && (
          <p id={`${id}-help`} className="text-sm text-muted">
            {help}
          </p>
        )}
      </div>
    </div>
  )
}
