/**
 * How many turns others on the event loop had before the work was done: what does everything in one
 * turn lets them have none, however quick this machine is.
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
