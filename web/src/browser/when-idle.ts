/** Not while something is being drawn. What it answers takes the task back. */
export const whenIdle = (task: () => void): (() => void) => {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(task, 500)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(task, { timeout: 2_000 })
  return () => cancelIdleCallback(asked)
}
