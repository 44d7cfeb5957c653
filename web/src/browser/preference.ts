import { useCallback, useState } from 'react'

import { writeStored, readStored } from './storage.ts'

/** Without storage, a preference lasts only for this visit. */
export const readPreference = (key: string): string | undefined => readStored('local', key)

export const writePreference = (key: string, value: string | undefined): void => {
  writeStored('local', key, value)
}

/** A remembered choice; invalid stored values count as the first choice. */
export const usePreference = <T extends string>(key: string, choices: readonly [T, ...T[]]): [T, (next: T) => void] => {
  const [value, setValue] = useState<T>(() => {
    const stored = readPreference(key)
    return choices.find((choice) => choice === stored) ?? choices[0]
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
