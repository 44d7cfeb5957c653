import { canCancel, type Build } from '@flightdeck/api'
import { useCallback, useState } from 'react'

import { useAddress, type Came } from '../../browser/navigation.tsx'
import { failingSteps } from './failing-step.ts'

/** Something is going on, or went wrong; a build that waits for an approval shows its buttons first. */
const hasLog = (build: Build): boolean =>
  failingSteps(build).length > 0 ||
  (canCancel(build.status) && !build.stages?.some(({ status }) => status === 'blocked'))

/** A step, a line, or what changed since the step last passed, which stands above its lines. */
const namesPlace = (): boolean =>
  // `/1/1` is what an address without a step means, too.
  /\/[1-9]\d*(?!\/1\/1\/?$)\/[1-9]\d*\/[1-9]\d*\/?$/.test(location.pathname) ||
  /^#L\d/.test(location.hash) ||
  new URLSearchParams(location.search).has('changed')

/**
 * On narrow screens the console is a modal. A link to a place in it wants it, and so does whoever came by a click on a build
 * that runs or failed: "show me where it happens". Decided once for each build; afterwards it is the reader's, and Back and
 * Forward bring what was there at that entry of the history.
 */
export const useConsoleOpen = (number: number, build: Build | undefined, came: Came | undefined) => {
  const { entry = '' } = useAddress()
  const begin = (decided: boolean) => ({ number, decided, open: decided, entry, seen: new Map<string, boolean>() })
  const [known, setKnown] = useState(() => begin(namesPlace()))
  const { open, seen } = known
  if (known.number !== number) setKnown(begin(false))
  // What opens it may go on in the history with the same press: the entry before has what was drawn there.
  else if (known.entry !== entry) setKnown({ ...known, entry, open: seen.get(entry) ?? open })
  else if (!known.decided && build) setKnown({ ...known, decided: true, open: came === 'follow' && hasLog(build) })
  else if (seen.get(entry) !== open) setKnown({ ...known, seen: new Map(seen).set(entry, open) })
  return {
    consoleOpen: open,
    onOpen: useCallback(() => setKnown((now) => ({ ...now, number, decided: true, open: true })), [number]),
    onClose: () => setKnown((now) => ({ ...now, number, decided: true, open: false })),
  }
}
