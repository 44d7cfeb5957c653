/*
 * Runs in the page before its own scripts: measures when something was painted, and the gaps
 * between frames.
 */
export function watch() {
  /** Called while a frame is being rendered; calls back after it was painted. */
  const afterThisFrame = (then) => {
    const channel = new MessageChannel()
    channel.port1.addEventListener('message', () => then(performance.now()))
    channel.port1.start()
    channel.port2.postMessage(0)
  }
  /** Calls back when the next frame has been painted. */
  const painted = (then) => requestAnimationFrame(() => afterThisFrame(then))
  window.bench = {
    /** The time (since navigation) of the first painted frame in which `test` holds. */
    when: (test, timeout = 120_000) =>
      new Promise((resolve, reject) => {
        const began = performance.now()
        const check = () => {
          let holds = false
          try {
            holds = test()
          } catch {}
          if (holds) afterThisFrame(resolve)
          else if (performance.now() - began > timeout) reject(new Error(`never: ${test}`))
          else requestAnimationFrame(check)
        }
        requestAnimationFrame(check)
      }),
    /**
     * Records the gaps between frames in milliseconds until `stop` is called. `each` runs in every
     * frame.
     */
    frames: (each = () => {}) => {
      const gaps = []
      let last
      let going = true
      const check = (time) => {
        if (!going) return
        if (last !== undefined) gaps.push(time - last)
        last = time
        each(time)
        requestAnimationFrame(check)
      }
      requestAnimationFrame(check)
      return () => {
        going = false
        return gaps
      }
    },
    /** Records tasks of more than 50 ms from now on: `longtask` or `long-animation-frame`. */
    over50: (type) => {
      const tasks = []
      const observer = new PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map((entry) => entry.duration)),
      )
      observer.observe({ type })
      return () => {
        tasks.push(...observer.takeRecords().map((entry) => entry.duration))
        observer.disconnect()
        return tasks
      }
    },
    painted,
  }
}
