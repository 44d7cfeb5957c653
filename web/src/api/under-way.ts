/**
 * Actions in progress, by subject. Stored outside the components: a button is still busy when the user returns to its page, and two
 * buttons for the same subject share the state.
 */
import { useSyncExternalStore } from 'react'

const underWay = new Map<string, string>()
const listeners = new Set<() => void>()

const tell = (): void => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Takes the subject for one action; false while another one has it. */
export const begin = (subject: string, action: string): boolean => {
  if (underWay.has(subject)) return false
  underWay.set(subject, action)
  tell()
  return true
}

export const end = (subject: string): void => {
  underWay.delete(subject)
  tell()
}

/** The action that the subject is busy with. */
export const useUnderWay = (subject: string): string | undefined =>
  useSyncExternalStore(
    subscribe,
    () => underWay.get(subject),
    () => undefined,
  )
