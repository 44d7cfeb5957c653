/** The keys pressed for a menu that is opening and does not have the focus yet. */
export interface KeyBuffer {
  /** The index of the item that the keys have reached so far, from 0. */
  at: number
  /** How the menu was closed, if it was: with its item, or with Escape. */
  end?: 'chosen' | 'closed'
  stop: () => void
}

const step = (key: string, at: number, count: number): number | undefined => {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at + count - 1) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

/**
 * Buffers keys pressed between opening a menu and its focus, while its code loads and its items
 * render: users who know the menu type ahead. Interprets them like the open menu (ARIA Authoring
 * Practices, menu button), until `stop`, its end, or Tab.
 */
export const bufferKeys = (count: number): KeyBuffer => {
  const stop = (): void => removeEventListener('keydown', onKeyDown, true)
  const buffer: KeyBuffer = { at: 0, stop }
  const finish = (end?: KeyBuffer['end']): void => {
    if (end) buffer.end = end
    stop()
  }
  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Tab') {
      finish()
      return
    }
    const next = step(key, buffer.at, count)
    const chooses = key === 'Enter' || key === ' '
    if (next === undefined && !chooses && key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (next !== undefined) buffer.at = next
    else if (key === 'Escape') finish('closed')
    // Repeats of the key that opened it choose nothing.
    else if (!event.repeat) finish('chosen')
  }
  addEventListener('keydown', onKeyDown, true)
  return buffer
}
