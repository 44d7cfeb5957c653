/* Runs in the page before its own scripts: reports when something was painted, and how evenly frames were produced. */
export function watch() {
  /** In a frame that is being made: calls back when it has been painted. */
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
        const look = () => {
          let holds = false
          try {
            holds = test()
          } catch {}
          if (holds) afterThisFrame(resolve)
          else if (performance.now() - began > timeout) reject(new Error(`never: ${test}`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    /** Gaps between frames, in milliseconds, until `stop` is called; `each` runs in every frame. */
    frames: (each = () => {}) => {
      const gaps = []
      let last
      let going = true
      const look = (time) => {
        if (!going) return
        if (last !== undefined) gaps.push(time - last)
        last = time
        each(time)
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
      return () => {
        going = false
        return gaps
      }
    },
    /** Durations of what took over 50 ms from here on: `longtask` or `long-animation-frame`. */
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
