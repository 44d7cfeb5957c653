/**
 * For tests: the processor time of `work` in milliseconds, the least of three, since a busy machine
 * only adds to it. At least 1, because shorter times are not exact.
 */
export function minCost(work: () => void): number {
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.max(1, Math.min(...costs))
}
