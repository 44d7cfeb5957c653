import { useEffect, useEffectEvent } from 'react'

/** Does something with a value once it has been the same for so many milliseconds; never with `undefined`. */
export const useDelay = <T>(value: T | undefined, ms: number, then: (value: T) => void): void => {
  const due = useEffectEvent(then)
  useEffect(() => {
    if (value === undefined) return undefined
    const timer = setTimeout(() => due(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
}
