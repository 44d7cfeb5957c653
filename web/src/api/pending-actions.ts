/**
 * Actions in progress, by subject. Stored outside the components: a button is still busy when the
 * user returns to its page, and two buttons for the same subject share the state.
 */
import { useSyncExternalStore } from 'react'

const pending = new Map<string, string>()
const listeners = new Set<() => void>()

const notify = (): void => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Marks the subject as busy; false if another action is pending. */
export const startAction = (subject: string, action: string): boolean => {
  if (pending.has(subject)) return false
  pending.set(subject, action)
  notify()
  return true
}

export const endAction = (subject: string): void => {
  pending.delete(subject)
  notify()
}

/** The action that the subject is busy with. */
export const usePendingAction = (subject: string): string | undefined =>
  useSyncExternalStore(
    subscribe,
    () => pending.get(subject),
    () => undefined,
  )
