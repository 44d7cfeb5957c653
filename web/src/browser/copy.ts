/** Copying, also where the browser gives the page no clipboard: on plain http (a "secure context" is https or this machine). */

/**
 * Copying needs a selection. It must be inside an open dialog, because nothing outside it can be selected; it is
 * invisible.
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

/** Only while a press is fresh. What is selected on the page stays selected. False: the browser did not let it. */
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

/** True once the text is in the clipboard. */
export const copyText = async (text: string): Promise<boolean> => {
  // In this order, for the press must not have been long ago.
  if (!('clipboard' in navigator)) return copyByCommand(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

/** What to press to copy a selection. */
export const copyKeys = (): string => (/mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘C' : 'Ctrl+C')
