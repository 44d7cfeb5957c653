import type { Build } from '@flightdeck/api'
import { useRef } from 'react'

import { findOnBranch, lineOf } from '../../api/branch-builds.ts'
import { errorText } from '../../api/query-client.ts'
import { useAddress, useNavigation } from '../../browser/navigation.tsx'
import { useKeys } from '../../browser/use-keys.ts'
import { paths } from '../../lib/paths.ts'
import { toast } from '../../ui/toast.ts'
import type { FailingStep } from './failing-step.ts'
import { neighbourOf, nextFailing, type StageOrStep } from './stage-or-step.ts'

interface Keys {
  namespace: string
  name: string
  build: Build | undefined
  selected: StageOrStep
  failing: readonly FailingStep[]
  onFailing: (selected: StageOrStep) => void
  onStep: (selected: StageOrStep) => void
}

/**
 * Opens the newer or older build of the branch, unless the user has navigated elsewhere before it
 * is found.
 */
const useBranch = (namespace: string, name: string) => {
  const { navigate } = useNavigation()
  const { pathname } = useAddress()
  const isLooking = useRef(false)
  return async (build: Build, way: 1 | -1): Promise<void> => {
    if (isLooking.current) return
    isLooking.current = true
    try {
      const number = await findOnBranch(namespace, name, build, way)
      if (number !== undefined) navigate(paths.build(namespace, name, number), { via: 'follow', from: pathname })
      else toast.warning(`No ${way > 0 ? 'newer' : 'older'} build on ${lineOf(build)}`)
    } catch (error) {
      toast.error(`The builds of ${lineOf(build)} could not be loaded: ${errorText(error)}`)
    } finally {
      isLooking.current = false
    }
  }
}

/** The build page's keyboard shortcuts; app/shortcuts.tsx lists them. */
export const useBuildKeys = ({ namespace, name, build, selected, failing, onFailing, onStep }: Keys): void => {
  const goOnBranch = useBranch(namespace, name)
  useKeys((key, { repeat }) => {
    if (!build) return
    const failingTo =
      key === 'f' || key === 'Shift+f' ? nextFailing(failing, selected, key === 'f' ? 1 : -1) : undefined
    const stepTo = key === ']' || key === '[' ? neighbourOf(build, selected, key === ']' ? 1 : -1) : undefined
    if (failingTo) onFailing(failingTo)
    if (stepTo) onStep(stepTo)
    if ((key === 'n' || key === 'p') && !repeat) void goOnBranch(build, key === 'n' ? 1 : -1)
  })
}
