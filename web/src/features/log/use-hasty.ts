import { useEffect, useRef, useState } from 'react'

/** So many new lines between two looks at the log count as a rush. */
const rush = 60
const calmMs = 400

/** Lines come in faster than anybody reads them; it ends when fewer have come for a while. */
export const useHasty = (growing: boolean, lines: number): boolean => {
  const [hasty, setHasty] = useState(false)
  const before = useRef(lines)
  useEffect(() => {
    const grown = lines - before.current
    // The first batch is what was printed so far, no rush.
    const rushing = growing && before.current > 0 && grown > rush
    before.current = lines
    if (rushing) setHasty(true)
    const timer = setTimeout(() => setHasty(false), calmMs)
    return () => clearTimeout(timer)
  }, [growing, lines])
  return hasty
}
