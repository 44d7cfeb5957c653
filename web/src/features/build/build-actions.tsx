import { canCancel, isDone, type Build, type Stage } from '@flightdeck/api'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'

import { buttonClass } from '../../ui/button-styles.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useSearchParams } from '../../ui/navigation.tsx'
import { DeploymentDialog, deploymentRequest } from '../dialogs/index.ts'
import { isBlocked, isStageWaiting } from './stage-rules.ts'
import { useBuildActions } from './use-build-actions.ts'

export interface BuildActionsProps {
  namespace: string
  name: string
  build: Build
  /** The stage that is looked at. */
  stage: Stage | undefined
  mayWrite: boolean
}

const noPermission = 'Build is blocked, please, contact repo admin in order to proceed'

function Finished({
  namespace,
  name,
  build,
  actions,
}: BuildActionsProps & { actions: ReturnType<typeof useBuildActions> }) {
  const request = deploymentRequest(useSearchParams())
  const [deploying, setDeploying] = useState(request !== undefined)
  const { restart, debug } = actions
  const items = [
    { label: 'Restart', onSelect: () => restart.mutate() },
    { label: 'Promote', onSelect: () => setDeploying(true) },
    { label: 'Debug', onSelect: () => debug.mutate() },
  ]
  return (
    <>
      <Menu label="Build actions" items={items} buttonClassName={buttonClass('secondary', 'md')}>
        Actions
        <ChevronDown className="size-4" aria-hidden="true" />
      </Menu>
      <DeploymentDialog
        repo={{ namespace, name }}
        build={build}
        open={deploying}
        initial={request}
        onClose={() => setDeploying(false)}
      />
    </>
  )
}

/** Approve, decline, cancel, or the menu – whichever the build and the person allow. */
export function BuildActions(props: BuildActionsProps) {
  const { namespace, name, build, stage, mayWrite } = props
  const actions = useBuildActions({ namespace, name, number: build.number }, stage?.number ?? 1)
  const { approve, decline, cancel } = actions
  const blocked = isBlocked(build, stage)
  if (!mayWrite) return blocked ? <p className="max-w-80 text-sm text-warning">{noPermission}</p> : null
  const what = blocked ? 'Build' : 'Stage'
  const deciding = approve.isPending || decline.isPending
  return (
    <>
      {(blocked || isStageWaiting(build, stage)) && (
        <>
          <Button variant="primary" busy={approve.isPending} disabled={deciding} onClick={() => approve.mutate()}>
            Approve {what}
          </Button>
          <Button busy={decline.isPending} disabled={deciding} onClick={() => decline.mutate()}>
            Decline {what}
          </Button>
        </>
      )}
      {canCancel(build.status) && (
        <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      {isDone(build.status) && !blocked && <Finished {...props} actions={actions} />}
    </>
  )
}
