import { isTyping } from './is-typing.ts'
import { useListeners } from './use-listeners.ts'

/**
 * On many keyboards symbols need Alt (`[` is AltGr, which sets Ctrl and Alt); a letter with a
 * modifier is a browser shortcut.
 */
const isPlain = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !metaKey && (/^[a-z]$/i.test(key) ? !ctrlKey && !altKey : !ctrlKey || altKey)

const nameOf = ({ key, shiftKey }: KeyboardEvent): string =>
  /^[a-z]$/i.test(key) ? `${shiftKey ? 'Shift+' : ''}${key.toLowerCase()}` : key

/** Opens the search, from a text field too. */
export const searchKey = 'Ctrl+k'
const isSearchKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key === 'k' && (ctrlKey || metaKey)

/**
 * Page-wide keyboard shortcuts: `f`, `Shift+f`, `[`. Ignored while typing and below an open dialog,
 * except one that is a page of a narrow screen.
 */
export const useKeys = (onKey: (key: string, event: KeyboardEvent) => void): void =>
  useListeners('document', {
    keydown: (event) => {
      const isSearch = isSearchKey(event)
      if (event.defaultPrevented || (!isSearch && (!isPlain(event) || isTyping(event.target)))) return
      if (!document.querySelector('dialog[open]:not([data-page])')) onKey(isSearch ? searchKey : nameOf(event), event)
    },
  })
