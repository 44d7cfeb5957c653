import { canCancel, isDone, type Build, type Stage } from '@flightdeck/api'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { approveStage, cancelBuild, debugBuild, declineStage, restartBuild } from '../../api/actions/builds.ts'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/button-styles.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useNavigation, useSearchParams } from '../../browser/navigation.tsx'
import { DeploymentDialog, deploymentRequest } from '../dialogs/index.ts'
import { isBlocked, isStageWaiting } from './stage-rules.ts'

export interface BuildActionsProps {
  namespace: string
  name: string
  build: Build
  /** The stage that is looked at. */
  stage: Stage | undefined
  mayWrite: boolean
}

const noPermission = 'Build is blocked, please, contact repo admin in order to proceed'

function Finished({ namespace, name, build }: BuildActionsProps) {
  const { navigate } = useNavigation()
  const address = { namespace, name, number: build.number }
  const request = deploymentRequest(useSearchParams())
  const [deploying, setDeploying] = useState(request !== undefined)
  // Specification §4: restart goes to the first step of the new build, debug to its page.
  const restart = useAction(restartBuild(address), ({ number }) => navigate(paths.build(namespace, name, number, 1, 1)))
  const debug = useAction(debugBuild(address), ({ number }) => navigate(paths.build(namespace, name, number)))
  const items = [
    { label: 'Restart', onSelect: () => restart.run() },
    { label: 'Promote', onSelect: () => setDeploying(true) },
    { label: 'Debug', onSelect: () => debug.run() },
  ]
  return (
    <>
      <Menu
        label="Build actions"
        items={items}
        buttonClassName={buttonClass('secondary', 'md')}
        busy={restart.busy && !deploying}
      >
        Actions
        <ChevronDown className="size-4" aria-hidden="true" />
      </Menu>
      <DeploymentDialog build={address} open={deploying} initial={request} onClose={() => setDeploying(false)} />
    </>
  )
}

/** Approve, decline, cancel, or the menu – whichever the build and the person allow. Of another build it is another one. */
export function BuildActions(props: BuildActionsProps) {
  return <ActionsOfBuild key={`${props.namespace}/${props.name}#${props.build.number}`} {...props} />
}

function ActionsOfBuild(props: BuildActionsProps) {
  const { namespace, name, build, stage, mayWrite } = props
  const { navigate } = useNavigation()
  const address = { namespace, name, number: build.number }
  const approve = useAction(approveStage(address, stage?.number ?? 1))
  const decline = useAction(declineStage(address, stage?.number ?? 1))
  // Specification §4: "Cancel moves to the returned build number."
  const cancel = useAction(cancelBuild(address), ({ number }) => navigate(paths.build(namespace, name, number)))
  const blocked = isBlocked(build, stage)
  if (!mayWrite) return blocked ? <p className="max-w-80 text-sm text-warning">{noPermission}</p> : null
  const what = blocked ? 'Build' : 'Stage'
  return (
    <>
      {(blocked || isStageWaiting(build, stage)) && (
        <>
          <Button variant="primary" busy={approve.pending} disabled={approve.busy} onClick={() => approve.run()}>
            Approve {what}
          </Button>
          <Button busy={decline.pending} disabled={decline.busy} onClick={() => decline.run()}>
            Decline {what}
          </Button>
        </>
      )}
      {canCancel(build.status) && (
        <Button busy={cancel.pending} disabled={cancel.busy} onClick={() => cancel.run()}>
          Cancel
        </Button>
      )}
      {isDone(build.status) && !blocked && <Finished {...props} />}
    </>
  )
}
