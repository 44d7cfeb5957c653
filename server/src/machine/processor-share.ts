/** Raises the server's share of the processor, so that it responds while steps use all cores. */
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Linux first divides the processor among sessions (`man 7 sched`, "The autogroup feature"). Each
 * step has its own session, and can start thousands more.
 */
const file = '/proc/self/autogroup'
/** Gives nine times the share of another session. */
const niceValue = '-10'

/**
 * Gives this process's session a larger share, if it runs as root and the kernel supports it.
 * Returns a function that restores the default. A value that someone else has set is not changed,
 * since the session can belong to a shell or contain a second server.
 */
export function raiseProcessorShare(): () => void {
  try {
    if (!/ nice 0\s*$/.test(readFileSync(file, 'utf8'))) return () => {}
    writeFileSync(file, niceValue)
  } catch {
    return () => {}
  }
  return () => {
    try {
      writeFileSync(file, '0')
    } catch {
      // The share is optional, so errors are ignored.
    }
  }
}
