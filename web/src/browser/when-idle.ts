/** Runs a task when the browser is idle. Returns a function that cancels it. */
export const whenIdle = (task: () => void): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(task, 500)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(task, { timeout: 2_000 })
  return () => cancelIdleCallback(request)
}
