import { useLayoutEffect, useRef, useState } from 'react'

/** Functions that stay the same and do what the last drawing meant: for parts that need not be drawn again with each line. */
export const useStable = <K extends string>(actions: Record<K, () => void>): Record<K, () => void> => {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  const [stable] = useState(() => {
    const names = Object.keys(actions) as K[]
    return Object.fromEntries(names.map((name) => [name, () => latest.current[name]()])) as Record<K, () => void>
  })
  return stable
}
