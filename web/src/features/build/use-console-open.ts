import { canCancel, type Build } from '@flightdeck/api'
import { useCallback, useState } from 'react'

import type { Came } from '../../browser/navigation.tsx'
import { failingSteps } from './failing-step.ts'

/** Something is going on, or went wrong; a build that waits for an approval shows its buttons first. */
const hasLog = (build: Build): boolean =>
  failingSteps(build).length > 0 ||
  (canCancel(build.status) && !build.stages?.some(({ status }) => status === 'blocked'))

const namesLine = (): boolean => /^#L\d/.test(location.hash)

/**
 * On narrow screens the console is a modal. A link to a line of the log wants it, and so does whoever came by a click on a build
 * that runs or failed: "show me where it happens". Decided once for each build; afterwards it is the reader's.
 */
export const useConsoleOpen = (number: number, build: Build | undefined, came: Came | undefined) => {
  const [known, setKnown] = useState(() => ({ number, decided: namesLine(), open: namesLine() }))
  if (known.number !== number) setKnown({ number, decided: false, open: false })
  else if (!known.decided && build) setKnown({ number, decided: true, open: came === 'follow' && hasLog(build) })
  return {
    consoleOpen: known.open,
    onOpen: useCallback(() => setKnown({ number, decided: true, open: true }), [number]),
    onClose: () => setKnown({ number, decided: true, open: false }),
  }
}
