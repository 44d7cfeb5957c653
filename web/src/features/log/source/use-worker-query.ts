import { useEffect, useEffectEvent, useRef, useState } from 'react'

/**
 * Queries the worker once for each `key` (never while it is undefined), one query at a time, so
 * that a fast-growing log is not queried faster than the worker responds. The key is returned with
 * the response.
 */
export const useWorkerQuery = <T>(
  key: string | undefined,
  ask: () => Promise<T>,
  onAnswer: (answer: T, key: string) => void,
): void => {
  const isWaiting = useRef(false)
  const [answered, setAnswered] = useState<string>()
  // After an undefined key, the same key is queried again.
  if (key === undefined && answered !== undefined) setAnswered(undefined)
  const take = useEffectEvent((answer: T, of: string) => {
    isWaiting.current = false
    // Always rerenders: the next query is sent once the effect of this result is known.
    setAnswered(of)
    onAnswer(answer, of)
  })
  useEffect(() => {
    if (isWaiting.current || key === undefined || key === answered) return
    isWaiting.current = true
    void ask().then((answer) => take(answer, key))
  })
}
