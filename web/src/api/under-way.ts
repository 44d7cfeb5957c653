/**
 * What is under way, by what it is done to. Kept outside the components: whoever leaves a page and comes back finds its
 * button as busy as it is, and two buttons for one thing know of each other.
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
