import { useEffect, useRef, useState } from 'react'

/** So many new lines between two looks at the log count as a rush. */
const rush = 60
const calmMs = 400

/** Lines come in faster than anybody reads them; it ends when fewer have come for a while. */
export const useRush = (growing: boolean, lines: number): boolean => {
  const [rushing, setRushing] = useState(false)
  const before = useRef(lines)
  useEffect(() => {
    const grown = lines - before.current
    // The first batch is what was printed so far, no rush.
    const rushed = growing && before.current > 0 && grown > rush
    before.current = lines
    if (rushed) setRushing(true)
    const timer = setTimeout(() => setRushing(false), calmMs)
    return () => clearTimeout(timer)
  }, [growing, lines])
  return rushing
}
