/**
 * Limits how many stages start at the same time. Starting a stage, with its folders and first
 * processes, uses all cores; the limit leaves processor time for requests. A stage that has been
 * running for a moment no longer counts.
 */
export interface StartingSemaphore {
  /**
   * Resolves when one more stage can start; returns the function to call when the stage ends. Waits
   * only while earlier stages are starting.
   */
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
      let isStarting = true
      const release = () => {
        if (!isStarting) return
        isStarting = false
        clearTimeout(timer)
        next()
      }
      const timer = setTimeout(release, startingMs)
      return release
    },
  }
}
