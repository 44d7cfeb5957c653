import { useCallback, useState } from 'react'

/** Private windows and full disks refuse storage; a preference is then kept for this visit only. */
export const readPreference = (key: string): string | undefined => {
  try {
    return localStorage.getItem(`flightdeck.${key}`) ?? undefined
  } catch {
    return undefined
  }
}

export const writePreference = (key: string, value: string | undefined): void => {
  try {
    if (value === undefined) localStorage.removeItem(`flightdeck.${key}`)
    else localStorage.setItem(`flightdeck.${key}`, value)
  } catch {
    // See above.
  }
}

/** A remembered choice of one of some texts; anything else that is stored counts as the first. */
export const usePreference = <T extends string>(key: string, choices: readonly [T, ...T[]]): [T, (next: T) => void] => {
  const [value, setValue] = useState<T>(() => {
    const kept = readPreference(key)
    return choices.find((choice) => choice === kept) ?? choices[0]
  })
  const change = useCallback(
    (next: T) => {
      setValue(next)
      writePreference(key, next)
    },
    [key],
  )
  return [value, change]
}
