/**
 * Starting a stage, its folders and first processes, uses all cores. The semaphore limits how many of many waiting stages start
 * together, so that requests find a free processor; a stage that has been running for a moment no longer counts.
 */
export interface StartingSemaphore {
  /** Resolves when one more stage may start; returns the function to call at its end. Waits only while earlier stages are starting. */
  begin(): Promise<() => void>
}

export function createStartingSemaphore(maxConcurrency: number, startingMs: number): StartingSemaphore {
  let starting = 0
  const waiting: (() => void)[] = []
  const next = () => {
    const wake = waiting.shift()
    if (wake) wake()
    else starting -= 1
  }
  return {
    async begin() {
      if (starting < maxConcurrency) starting += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      let isYoung = true
      const grown = () => {
        if (!isYoung) return
        isYoung = false
        clearTimeout(timer)
        next()
      }
      const timer = setTimeout(grown, startingMs)
      return grown
    },
  }
}
