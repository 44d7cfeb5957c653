import { useId, type ReactNode } from 'react'

export interface CheckboxFieldProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  help?: ReactNode
  disabled?: boolean
}

export function CheckboxField({ label, checked, onChange, help, disabled = false }: CheckboxFieldProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-2 touch:min-h-11 touch:items-center">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={help ? `${id}-help` : undefined}
        className="mt-0.5 size-4 shrink-0 touch:size-6"
        onChange={(event) => onChange(event.target.checked)}
      />
      <div className="min-w-0">
        <label htmlFor={id}>{label}</label>
        {help && (
          <p id={`${id}-help`} className="text-sm text-muted">
            {help}
          </p>
        )}
      </div>
    </div>
  )
}
