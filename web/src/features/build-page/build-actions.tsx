import { isDone, type Build, type Stage } from '@flightdeck/api'
import { ChevronDown, EllipsisVertical, RotateCcw } from 'lucide-react'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { approveStage, approveStages, declineStage, type StageOutcome } from '../../api/actions/builds.ts'
import { buttonClass } from '../../ui/button-styles.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { useSearchParams } from '../../browser/navigation.tsx'
import { DeploymentDialog, deploymentRequest, NewBuildDialog } from '../dialogs/index.ts'
import { isBlocked, isStageWaiting } from './stage-rules.ts'
import { StopOrRestart } from './stop-or-restart.tsx'
import { useRestarts } from './use-restarts.ts'

export interface BuildActionsProps {
  namespace: string
  name: string
  build: Build
  /** The stage that is looked at. */
  stage: Stage | undefined
  mayWrite: boolean
}

const noPermission = 'Build is blocked, please, contact repo admin in order to proceed'

const shortClass = 'max-lg:w-11 max-lg:px-0 max-lg:touch:px-0'

/** Beside Restart there is no room for the word on small screens: the row of buttons must not become two. */
function ActionsWord({ isShort }: { isShort: boolean }) {
  return (
    <>
      <span className={isShort ? 'max-lg:sr-only' : undefined}>Actions</span>
      <ChevronDown className={`size-4 ${isShort ? 'max-lg:hidden' : ''}`} aria-hidden="true" />
      {isShort && <EllipsisVertical className="size-4 lg:hidden" aria-hidden="true" />}
    </>
  )
}

function Finished({ namespace, name, build, stage }: BuildActionsProps) {
  const address = { namespace, name, number: build.number }
  const isShort = build.status === 'killed'
  const request = deploymentRequest(useSearchParams())
  const [deploying, setDeploying] = useState(request !== undefined)
  const [changing, setChanging] = useState(false)
  const restarts = useRestarts(address, build, stage)
  const items = [restarts.whole, { label: 'Promote', onSelect: () => setDeploying(true) }, restarts.debug]
  const parts = [...restarts.parts, { label: 'Restart with changes…', onSelect: () => setChanging(true) }]
  return (
    <>
      {/* Restart stands at the end, where Cancel stood; where the buttons begin at the left, at their beginning. The place is
          that of a box around both: a menu that has been opened is in a box of its own. */}
      <div className="contents lg:order-first lg:flex lg:gap-2">
        <Menu
          label="Build actions"
          items={items}
          buttonClassName={buttonClass('secondary', 'md', isShort ? shortClass : '')}
          busy={restarts.busy && !deploying && !restarts.again}
        >
          <ActionsWord isShort={isShort} />
        </Menu>
        <Menu
          label="Run again"
          items={parts}
          buttonClassName={buttonClass('secondary', 'md', 'px-2! touch:px-3!')}
          busy={restarts.again && !changing}
        >
          {!restarts.again && <RotateCcw className="size-4" aria-hidden="true" />}
          <span className="sr-only">Run again</span>
        </Menu>
      </div>
      <NewBuildDialog repo={address} build={build} open={changing} onClose={() => setChanging(false)} />
      <DeploymentDialog
        build={{ ...address, status: build.status }}
        open={deploying}
        initial={request}
        onClose={() => setDeploying(false)}
      />
    </>
  )
}

/** What became of each stage, where not all of them could be approved. */
function Outcomes({ of }: { of: readonly StageOutcome[] }) {
  if (of.length === 0) return null
  return (
    <div role="alert" className="order-last w-full max-w-120 text-sm">
      <ul aria-label="Approvals">
        {of.map(({ stage, error }) => (
          <li key={stage} className="break-words">
            <bdi className="font-medium">{stage}</bdi>{' '}
            {error === undefined ? 'is approved' : <span className="text-danger">is not approved: {error}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Approve, decline, cancel, or the menu – whichever the build and the person allow. Of another build it is another one. */
export function BuildActions(props: BuildActionsProps) {
  return <ActionsOfBuild key={`${props.namespace}/${props.name}#${props.build.number}`} {...props} />
}

function ActionsOfBuild(props: BuildActionsProps) {
  const { namespace, name, build, stage, mayWrite } = props
  const address = { namespace, name, number: build.number }
  const approve = useAction(approveStage(address, stage?.number ?? 1))
  const waiting = (build.stages ?? []).filter(({ status }) => status === 'blocked')
  const [outcomes, setOutcomes] = useState<StageOutcome[]>([])
  const approveAll = useAction(approveStages(address, waiting), (answer) => {
    const refused = answer.filter(({ error }) => error !== undefined)
    setOutcomes(refused.length > 0 ? answer : [])
    const [first] = refused
    if (first) toast.error(`Unable to approve build: ${first.error}`)
  })
  const decline = useAction(declineStage(address, stage?.number ?? 1))
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
          {waiting.length > 1 && (
            <Button
              title={`Approve ${waiting.map(({ name: stageName }) => stageName).join(', ')}`}
              busy={approveAll.pending}
              disabled={approveAll.busy}
              onClick={() => approveAll.run()}
            >
              Approve all
            </Button>
          )}
          <Button busy={decline.pending} disabled={decline.busy} onClick={() => decline.run()}>
            Decline {what}
          </Button>
        </>
      )}
      <StopOrRestart address={address} status={build.status} />
      {isDone(build.status) && !blocked && <Finished {...props} />}
      <Outcomes of={outcomes} />
    </>
  )
}
