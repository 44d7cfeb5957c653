import { startTransition, useEffect, useState } from 'react'

const atOnce = 80

/** How many of many elements to render: more in each frame, so that no frame takes long. */
export const useStepByStep = (total: number): number => {
  const [drawn, setDrawn] = useState(atOnce)
  useEffect(() => {
    if (drawn >= total) return undefined
    const frame = requestAnimationFrame(() => startTransition(() => setDrawn(drawn + atOnce)))
    return () => cancelAnimationFrame(frame)
  }, [drawn, total])
  return Math.min(drawn, total)
}
