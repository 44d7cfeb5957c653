import { useEffect, useEffectEvent } from 'react'

/**
 * Calls a function once a value has not changed for the given milliseconds; never for `undefined`.
 */
export const useDelay = <T>(value: T | undefined, ms: number, then: (value: T) => void): void => {
  const due = useEffectEvent(then)
  useEffect(() => {
    if (value === undefined) return undefined
    const timer = setTimeout(() => due(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
}
