import type { ComponentProps, ReactNode } from 'react'

import { cx } from './class-names.ts'
import { Field, inputClass } from './field.tsx'

export interface TextFieldProps extends Pick<
  ComponentProps<'input'>,
  'name' | 'disabled' | 'readOnly' | 'spellCheck' | 'inputMode' | 'onKeyDown'
> {
  label: string
  value: string
  onChange: (value: string) => void
  help?: ReactNode
  error?: string | undefined
  required?: boolean
  type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'number' | 'date'
  placeholder?: string
  autoComplete?: string
  hideLabel?: boolean
  multiline?: boolean
  /** The class of the whole field. */
  className?: string
  /** A monospaced font, for code, names and values. */
  mono?: boolean
  /** Suggestions while typing; any other text is allowed as well. Not for multi-line fields. */
  choices?: readonly string[]
}

export function TextField({
  label,
  value,
  onChange,
  help,
  error,
  required = false,
  type = 'text',
  hideLabel = false,
  multiline = false,
  className,
  mono = false,
  choices = [],
  autoComplete = 'off',
  onKeyDown,
  ...rest
}: TextFieldProps) {
  const fieldClass = cx(inputClass, mono && 'font-mono')
  return (
    <Field label={label} help={help} error={error} required={required} hideLabel={hideLabel} className={className}>
      {({ input, note }) => {
        const shared = {
          ...rest,
          id: input,
          value,
          required,
          autoComplete,
          'aria-invalid': error ? true : undefined,
          'aria-describedby': note,
        }
        return multiline ? (
          <textarea
            {...shared}
            rows={4}
            className={cx(fieldClass, 'h-auto py-1.5 touch:h-auto')}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <>
            <input
              {...shared}
              type={type}
              list={choices.length > 0 ? `${input}-choices` : undefined}
              className={fieldClass}
              onKeyDown={onKeyDown}
              onChange={(event) => onChange(event.target.value)}
            />
            {choices.length > 0 && (
              <datalist id={`${input}-choices`}>
                {choices.map((choice) => (
                  <option key={choice} value={choice}>
                    {choice}
                  </option>
                ))}
              </datalist>
            )}
          </>
        )
      }}
    </Field>
  )
}
