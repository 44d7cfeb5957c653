import { useLayoutEffect, useRef, useState } from 'react'

/**
 * Functions that stay the same and do what the last drawing meant: for parts that
 * need not be drawn again with each line. (What only effects call is a `useEffectEvent`.)
 */
export const useStableCallbacks = <A extends Record<string, (...given: never[]) => void>>(actions: A): A => {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  const [stable] = useState(() => {
    const call = (name: string) => [name, (...given: never[]) => latest.current[name]?.(...given)]
    return Object.fromEntries(Object.keys(actions).map(call)) as A
  })
  return stable
}
