import { useEffect, useEffectEvent } from 'react'

/**
 * Calls a function repeatedly while a value stays the same: after the first delay, then the given
 * milliseconds after each call has finished. Not while the value is `undefined`.
 */
export const usePolling = (
  value: string | undefined,
  { first, next }: { first: number; next: number },
  act: () => Promise<unknown>,
): void => {
  const due = useEffectEvent(act)
  useEffect(() => {
    if (value === undefined) return undefined
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const after = (pause: number): void => {
      timer = setTimeout(() => {
        void due().then(() => isOver || after(next))
      }, pause)
    }
    after(first)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [value, first, next])
}
