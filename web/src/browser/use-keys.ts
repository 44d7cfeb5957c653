import { isTyping } from './is-typing.ts'
import { useListeners } from './use-listeners.ts'

/** Signs are typed with Alt on many keyboards (`[` with AltGr, which is told as Ctrl and Alt); a letter with one is a command. */
const isPlain = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !metaKey && (/^[a-z]$/i.test(key) ? !ctrlKey && !altKey : !ctrlKey || altKey)

const nameOf = ({ key, shiftKey }: KeyboardEvent): string =>
  /^[a-z]$/i.test(key) ? `${shiftKey ? 'Shift+' : ''}${key.toLowerCase()}` : key

/** Keys that mean something on the whole page: `f`, `Shift+f`, `[`. Not for whoever types, nor below an open dialog
 * – unless that is a page of a narrow screen, whose keys they are. */
export const useKeys = (onKey: (key: string, event: KeyboardEvent) => void): void =>
  useListeners('document', {
    keydown: (event) => {
      if (!isPlain(event) || event.defaultPrevented || isTyping(event.target)) return
      if (!document.querySelector('dialog[open]:not([data-page])')) onKey(nameOf(event), event)
    },
  })
