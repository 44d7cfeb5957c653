import type { Build } from '@flightdeck/api'

import { readPreference } from '../../browser/preference.ts'
import { isNarrow } from '../../browser/use-narrow.ts'
import { prefetchLog, type StepAddress } from '../log/index.ts'
import { viewIn } from './view-address.ts'

/** Asks for the log of a page that is about to be drawn, where the reader is about to see it. */
export const prefetchVisibleLog = (address: StepAddress, build: Build, search: string): void => {
  // Narrow screens show the stages first.
  if (!isNarrow() && (viewIn(search) ?? readPreference('build.view') ?? 'log') === 'log') prefetchLog(address, build)
}
