/**
 * Counts the turns that other work on the event loop got before `work` was done. Work in a single
 * turn leaves none, however fast the machine is.
 */
export async function countLoopTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let over = false
  const count = () => {
    if (over) return
    turns += 1
    setImmediate(count)
  }
  setImmediate(count)
  try {
    await work()
  } finally {
    over = true
  }
  return turns
}
