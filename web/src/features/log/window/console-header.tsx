import type { Build, Stage, Step } from '@flightdeck/api'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'

import { Duration } from '../../../ui/duration.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StatusIcon } from '../../../ui/status-icon.tsx'
import { StepUsual } from '../../timeline/timeline.tsx'

export interface ConsoleHeaderProps {
  /** The address of its repository. */
  address: { namespace: string; name: string }
  build: Build | undefined
  stage: Stage | undefined
  step: Step | undefined
  /** The step's name and duration are already shown above. */
  named?: boolean
  onClose?: (() => void) | undefined
  children: ReactNode
}

export const nameOf = (stage: Stage | undefined, step: Step | undefined): string =>
  step?.name ?? stage?.name ?? 'Console'

/** The step's name and duration; the children are its tools. */
export function ConsoleHeader({ address, build, stage, step, named = false, onClose, children }: ConsoleHeaderProps) {
  return (
    <header className="flex min-h-11 items-center gap-2 border-b border-line bg-surface pr-1 pl-3">
      {named ? (
        <h3 className="font-medium text-ink">Log</h3>
      ) : build ? (
        <>
          {step && <StatusIcon status={step.status} />}
          <div className="flex min-w-0 flex-col">
            {/* In a modal, the page with its number and stages is out of sight. */}
            {onClose && (
              <span className="truncate text-xs text-muted">
                {[`#${build.number}`, step && stage?.name].filter(Boolean).join(' · ')}
              </span>
            )}
            <h2 className="min-w-0 truncate font-medium text-ink">{nameOf(stage, step)}</h2>
          </div>
        </>
      ) : (
        <Skeleton className="h-5 w-32" />
      )}
      {step?.started && !named ? (
        <Duration
          status={step.status}
          started={step.started}
          finished={step.stopped}
          className="text-sm whitespace-nowrap text-muted"
        />
      ) : null}
      {build && stage && step && !named && (
        <StepUsual namespace={address.namespace} name={address.name} {...{ build, stage, step }} />
      )}
      <span className="flex-1" />
      {children}
      {onClose && (
        <IconButton label="Close" side="left" onClick={onClose}>
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      )}
    </header>
  )
}
