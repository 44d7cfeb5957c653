import { canCancel, type Status } from '@flightdeck/api'
import { useCallback, useRef, useState, type MouseEvent } from 'react'

import { useAction } from '../../api/action.ts'
import { cancelBuild, restartBuild, type BuildAddress } from '../../api/actions/builds.ts'
import { useNavigation } from '../../browser/navigation.tsx'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'

/**
 * After the button changes, clicks are ignored for this long: they were meant for the previous
 * button. In milliseconds.
 */
const moment = 700

/**
 * Specification §4: "Restart goes to /{namespace}/{name}/{number}/1/1". From there the page follows
 * the new build.
 */
export const useRestart = (address: BuildAddress) => {
  const { navigate } = useNavigation()
  return useAction(restartBuild(address), ({ number }) =>
    navigate(paths.build(address.namespace, address.name, number, 1, 1), { via: 'follow' }),
  )
}

/**
 * The Cancel button; once the build is canceled, it becomes Restart, to undo an accidental cancel
 * in one click. It stays the same element, so it keeps focus. A double click does nothing.
 */
export function StopOrRestart({ address, status }: { address: BuildAddress; status: Status }) {
  const { navigate } = useNavigation()
  const restart = useRestart(address)
  // Specification §4: "Cancel moves to the returned build number."
  const cancel = useAction(cancelBuild(address), ({ number }) =>
    navigate(paths.build(address.namespace, address.name, number), { via: 'follow' }),
  )
  const [stoodHere] = useState(() => canCancel(status))
  const since = useRef(-Infinity)
  const note = useCallback((button: HTMLElement | null) => {
    if (button) since.current = performance.now()
  }, [])
  const isRestart = status === 'killed'
  if (!isRestart && !canCancel(status)) return null
  const press = ({ detail }: MouseEvent) => {
    // `detail`: the second click of a double click, even if the first one hit a different button in
    // this position.
    if (detail > 1 || (isRestart && performance.now() - since.current < moment)) return
    if (isRestart) restart.run()
    else cancel.run()
  }
  return (
    <Button
      ref={isRestart && stoodHere ? note : undefined}
      className={isRestart && stoodHere ? 'animate-settle' : undefined}
      busy={cancel.pending || restart.pending}
      disabled={cancel.busy}
      onClick={press}
    >
      {isRestart ? 'Restart' : 'Cancel'}
    </Button>
  )
}
