/**
 * Data stored between visits (`local`) or for a tab (`session`). In private windows, on full disks
 * and in browsers that block storage, any access may throw: then nothing is stored, and nothing
 * breaks.
 */
type Kind = 'local' | 'session'

const storage = (kind: Kind): Storage => (kind === 'local' ? localStorage : sessionStorage)

export const readStored = (kind: Kind, key: string): string | undefined => {
  try {
    return storage(kind).getItem(`flightdeck.${key}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Without a value, removes the entry. Returns whether the value was stored. */
export const writeStored = (kind: Kind, key: string, value: string | undefined): boolean => {
  try {
    if (value === undefined) storage(kind).removeItem(`flightdeck.${key}`)
    else storage(kind).setItem(`flightdeck.${key}`, value)
    return true
  } catch {
    return false
  }
}
