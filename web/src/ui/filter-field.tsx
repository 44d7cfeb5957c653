import { useState } from 'react'

import { useDelay } from '../browser/use-delay.ts'
import { TextField } from './text-field.tsx'

/** Browsers limit how often a page can change its URL: about a hundred times in 30 seconds. */
const pauseMs = 300

interface FilterFieldProps {
  label: string
  /** Defaults to the label. */
  placeholder?: string
  /** The current filter, trimmed. */
  value: string
  /** Called once typing pauses. */
  onChange: (value: string) => void
  /** `text` for a value with `choices`; the default, `search`, has a button to clear it. */
  type?: 'search' | 'text'
  choices?: readonly string[]
  className?: string
}

/**
 * An input whose debounced text becomes the filter. If the filter changes elsewhere, it replaces
 * the text.
 */
export function FilterField({
  label,
  value,
  onChange,
  type = 'search',
  placeholder = label,
  ...rest
}: FilterFieldProps) {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    if (typed.trim() !== value) setTyped(value)
  }
  useDelay(typed.trim() === value ? undefined : typed.trim(), pauseMs, onChange)
  return (
    <TextField
      hideLabel
      type={type}
      label={label}
      placeholder={placeholder}
      spellCheck={false}
      value={typed}
      onChange={setTyped}
      {...rest}
    />
  )
}
