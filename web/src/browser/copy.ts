/**
 * Copies text, even if the browser gives the page no clipboard: on plain HTTP (a "secure context"
 * is HTTPS or localhost).
 */

/**
 * Copying needs a selection. It must be inside an open dialog, because nothing outside it can be
 * selected; it is invisible.
 */
const selectSomething = (text: string): (() => void) => {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'sr-only'
  const place = before?.closest('dialog[open]') ?? [...document.querySelectorAll('dialog[open]')].at(-1)
  ;(place ?? document.body).append(field)
  field.focus({ preventScroll: true })
  field.select()
  return () => {
    field.remove()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
}

/**
 * Works only shortly after a click or key press. The page's selection stays. Returns false if the
 * browser refused.
 */
export const copyByCommand = (text: string): boolean => {
  let taken = false
  const give = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    event.clipboardData?.setData('text/plain', text)
    taken = event.clipboardData !== null
  }
  const restore = document.getSelection()?.isCollapsed === false ? undefined : selectSomething(text)
  document.addEventListener('copy', give, true)
  try {
    return document.execCommand('copy') && taken
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', give, true)
    restore?.()
  }
}

/** Resolves to true once the text is in the clipboard. */
export const copyText = async (text: string): Promise<boolean> => {
  // First, because it must be shortly after the click.
  if (!('clipboard' in navigator)) return copyByCommand(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

/** The keys that copy a selection. */
export const copyKeys = (): string => (/mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘C' : 'Ctrl+C')
