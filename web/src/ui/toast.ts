import { createStore } from '../browser/store.ts'

type Kind = 'success' | 'warning' | 'error'
export interface ToastItem {
  id: number
  kind: Kind
  text: string
  /** Called when it has disappeared. */
  onClosed?: (() => void) | undefined
}

/** Specification §9: "Toast default 3 s, at most 3 toasts". */
const lifetime = 3_000
const maxToasts = 3

/** The toasts that are shown (toast-host.tsx). */
export const toasts = createStore<readonly ToastItem[]>([])
let lastId = 0

const keep = (items: readonly ToastItem[]): void => {
  const removed = toasts.get().filter((item) => !items.includes(item))
  toasts.set(items)
  for (const item of removed) item.onClosed?.()
}

const show = (kind: Kind, text: string, onClosed?: () => void): void => {
  lastId += 1
  const id = lastId
  // A fourth replaces the oldest (readings, "Dialogs and settings").
  keep([...toasts.get(), { id, kind, text, onClosed }].slice(-maxToasts))
  setTimeout(() => keep(toasts.get().filter((item) => item.id !== id)), lifetime)
}

export const toast = {
  success: (text: string) => show('success', text),
  warning: (text: string) => show('warning', text),
  error: (text: string, onClosed?: () => void) => show('error', text, onClosed),
}
