import { flushSync } from 'react-dom'

/**
 * After a submit that sends nothing: `check` renders the errors, and the first invalid field gets
 * the focus.
 */
export const focusFirstInvalid = (form: HTMLElement, check: () => void): void => {
  flushSync(check)
  form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
}
