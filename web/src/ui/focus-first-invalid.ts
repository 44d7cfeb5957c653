import { flushSync } from 'react-dom'

/** After a press that sends nothing: `check` draws what is wrong, and the focus goes to the first field of it. */
export const focusFirstInvalid = (form: HTMLElement, check: () => void): void => {
  flushSync(check)
  form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
}
