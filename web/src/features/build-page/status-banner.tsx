import type { Build } from '@flightdeck/api'

import { shownStatus, statusReason } from '../../lib/reason.ts'
import { ReasonText } from '../../ui/reason.tsx'
import { toneOf, type Tone } from '../log/index.ts'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { FailingLinks } from './failing-links.tsx'
import { isToBlame, type FailingStep } from './failing-step.ts'
import type { StageOrStep } from './stage-or-step.ts'
import { WaitingLinks } from './waiting-links.tsx'

/**
 * The edge, the background and the icon have the color; the text is dark enough to be readable on
 * each background.
 */
const tones: Record<Tone, { ground: string; icon: string }> = {
  success: { ground: 'border-success bg-success-soft', icon: 'text-success' },
  danger: { ground: 'border-danger bg-danger-soft', icon: 'text-danger' },
  warning: { ground: 'border-warning bg-warning-soft', icon: 'text-warning' },
}

export interface StatusBannerProps {
  build: Build
  failing: readonly FailingStep[]
  /** The number of the shown stage. */
  current: number
  onFailing: (to: StageOrStep) => void
}

/**
 * Above everything else: did it pass, and if not, where did it fail? Colors as in specification §2.
 */
export function StatusBanner({ build, failing, current, onFailing }: StatusBannerProps) {
  const tone = tones[toneOf(build.status)]
  const status = shownStatus(build)
  // The console shows the full error, once.
  const blamed = failing.filter(isToBlame)
  const reason = statusReason(build)
  return (
    <div
      role="status"
      aria-label="Build status"
      data-error={tone === tones.danger ? true : undefined}
      className={`flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-l-3 py-1.5 pr-4 pl-3.25 text-ink md:pr-6 md:pl-5.25 touch:min-h-11 touch:py-0 ${tone.ground}`}
    >
      <span className="flex items-center gap-2 font-medium touch:min-h-11">
        <span aria-hidden="true" className={`inline-flex ${tone.icon}`}>
          <StatusIcon status={status} className="text-current" />
        </span>
        <span>{status.replaceAll('_', ' ')}</span>
      </span>
      {reason && (
        <span className="min-w-0">
          <ReasonText reason={reason} />
        </span>
      )}
      <WaitingLinks build={build} current={current} onStage={onFailing} />
      {blamed.length > 0 && <FailingLinks key={build.number} failing={blamed} onFailing={onFailing} />}
      {build.error && !build.ended && Boolean(build.stages?.length) && (
        <span className="min-w-0 font-mono text-sm whitespace-pre-wrap">{build.error}</span>
      )}
    </div>
  )
}
