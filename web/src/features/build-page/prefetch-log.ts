import type { Build } from '@flightdeck/api'

import { readPreference } from '../../browser/preference.ts'
import { isNarrow } from '../../browser/use-narrow.ts'
import { prefetchLog, type StepAddress } from '../log/index.ts'
import { viewIn } from './view-address.ts'

/** Requests the log before the page is rendered, if it will be visible. */
export const prefetchVisibleLog = (address: StepAddress, build: Build, search: string): void => {
  // Narrow screens show the stages first.
  if (!isNarrow() && (viewIn(search) ?? readPreference('build.view') ?? 'log') === 'log') prefetchLog(address, build)
}
