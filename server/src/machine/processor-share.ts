/** The server's share of the processor, beside steps that use all of it. */
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Linux divides the processor between sessions first (`man 7 sched`, "The autogroup feature"). Each
 * step has a session of its own, and can make thousands more of them.
 */
const file = '/proc/self/autogroup'
/** Nine times the share of another session. */
const niceValue = '-10'

/**
 * Gives the session of this process a larger share, where it runs as root and the kernel has the
 * feature; answers with what takes it back. The session can be that of a shell, or hold a second
 * server: what someone else has set stays.
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
      // It is a preference only.
    }
  }
}
