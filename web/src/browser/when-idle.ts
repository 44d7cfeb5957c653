/** Not while something is being drawn. */
export const whenIdle = (task: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(task, { timeout: 2_000 })
  else setTimeout(task, 500)
}
