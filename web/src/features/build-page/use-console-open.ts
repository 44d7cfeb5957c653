import { canCancel, type Build } from '@flightdeck/api'
import { useCallback, useState } from 'react'

import { useAddress, type Via } from '../../browser/navigation.tsx'
import { failingSteps } from './failing-step.ts'

/** Something runs or failed. A build that waits for approval shows its buttons first. */
const hasLog = (build: Build): boolean =>
  failingSteps(build).length > 0 ||
  (canCancel(build.status) && !build.stages?.some(({ status }) => status === 'blocked'))

/** The URL names a step, a line, or the changes shown above the step's log. */
const namesPlace = (): boolean =>
  // A URL without a step means `/1/1` as well.
  /\/[1-9]\d*(?!\/1\/1\/?$)\/[1-9]\d*\/[1-9]\d*\/?$/.test(location.pathname) ||
  /^#L\d/.test(location.hash) ||
  new URLSearchParams(location.search).has('changed')

/**
 * On narrow screens the console is a modal. It opens for links to a step or line, and after a click
 * on a running or failed build in a list. This is decided once per build; afterwards the user
 * controls it, and Back and Forward restore the state of each history entry.
 */
export const useConsoleOpen = (number: number, build: Build | undefined, via: Via | undefined) => {
  const { entry = '' } = useAddress()
  const initialState = (decided: boolean) => ({
    number,
    decided,
    open: decided,
    entry,
    seen: new Map<string, boolean>(),
  })
  const [known, setKnown] = useState(() => initialState(namesPlace()))
  const { open, seen } = known
  if (known.number !== number) setKnown(initialState(false))
  // The click that opens it may also push a history entry: the previous entry keeps the state
  // rendered there.
  else if (known.entry !== entry) setKnown({ ...known, entry, open: seen.get(entry) ?? open })
  else if (!known.decided && build) setKnown({ ...known, decided: true, open: via === 'follow' && hasLog(build) })
  else if (seen.get(entry) !== open) setKnown({ ...known, seen: new Map(seen).set(entry, open) })
  return {
    consoleOpen: open,
    onOpen: useCallback(() => setKnown((now) => ({ ...now, number, decided: true, open: true })), [number]),
    onClose: () => setKnown((now) => ({ ...now, number, decided: true, open: false })),
  }
}
