import type { Build } from '@flightdeck/api'
import { useState } from 'react'

import { paths } from '../../lib/paths.ts'
import { withParams } from '../../lib/search-params.ts'
import { useAddress, useNavigation, type Via } from '../../browser/navigation.tsx'
import type { FailingStep } from './failing-step.ts'
import { isFailing, isSameStep, stepInPath, stepToShow, type StageOrStep } from './stage-or-step.ts'
import { searchAtStep } from './view-address.ts'

export interface PageAddress {
  namespace: string
  name: string
  number: number
  stage: number
  step: number
}

const keyOf = ({ stage, step }: StageOrStep, number: number): string => `${number}/${stage}/${step ?? 1}`

/**
 * Selects the step to show. After a click on a build in a list, the page follows the running or
 * failed step until the user selects one, and updates the URL. A typed or shared URL selects its
 * own step (specification §2).
 */
export const useSelectedStep = (
  { namespace, name, number, ...address }: PageAddress,
  build: Build | undefined,
  failing: readonly FailingStep[],
) => {
  const { shownPathname, pathname, search, via } = useAddress()
  const { navigate } = useNavigation()
  // The step whose log the user has scrolled away from the end: it stays selected.
  const [reading, setReading] = useState<string>()
  const home = paths.build(namespace, name, number)
  const isBare = shownPathname === home
  const following = via === 'follow' && reading !== keyOf(address, number)
  const found = following && build ? stepToShow(build, isBare ? undefined : address) : undefined
  const selected = { ...address, step: 1, ...(found ?? address) }
  const hrefOf = (to: StageOrStep): string => paths.build(namespace, name, number, to.stage, to.step)
  const isAhead = found !== undefined && (isBare || !isSameStep(found, address))
  // Following the build adds no history entries.
  const goTo = (to: StageOrStep, how: Via): void =>
    navigate(`${hrefOf(to)}${searchAtStep(search, to.stage === address.stage)}`, {
      via: how,
      replace: !isBare && isSameStep(to, address),
    })
  /** The page follows the build: drawers and dialogs stay open. */
  const searchAt = ({ stage }: StageOrStep): string =>
    stage === address.stage ? search : withParams(search, { steps: undefined })
  return {
    selected,
    /** Where to search for the next step: the user can press keys faster than the page renders. */
    at: pathname === shownPathname ? selected : (stepInPath(pathname, home) ?? selected),
    via,
    /** The user has selected a step or scrolled away from the end of its log. */
    hasSelected: via !== undefined && !following,
    /** The URL to redirect to; undefined while a different page loads. */
    redirect:
      isAhead && pathname === shownPathname
        ? { to: `${hrefOf(found)}${searchAt(found)}`, from: shownPathname, via: 'follow' as const }
        : undefined,
    /** A failed step opened by a click or a key shows all its lines. */
    showsAllLines: via !== undefined && isFailing(failing, selected),
    goTo,
    follow: (): void => {
      setReading(undefined)
      goTo((build && stepToShow(build, selected)) ?? selected, 'follow')
    },
    /** The user has scrolled away from the end of the shown log, or has returned to it. */
    onEnd: (atEnd: boolean): void => setReading(atEnd ? undefined : keyOf(selected, number)),
    /** The log is no longer shown. */
    onLogGone: (): void => setReading(undefined),
  }
}
