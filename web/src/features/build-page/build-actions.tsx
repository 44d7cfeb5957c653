import { isDone, type Build, type Stage } from '@flightdeck/api'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { approveStage, approveStages, declineStage, type StageOutcome } from '../../api/actions/builds.ts'
import { buttonClass } from '../../ui/button-styles.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { useActionParam } from '../../browser/action-param.ts'
import { useSearchParams } from '../../browser/navigation.tsx'
import { DeploymentDialog, deploymentRequest, NewBuildDialog, newBuildRequest } from '../dialogs/index.ts'
import { isAwaitingApproval, isBlocked } from './stage-rules.ts'
import { StopOrRestart } from './stop-or-restart.tsx'
import { useRestarts } from './use-restarts.ts'

export interface BuildActionsProps {
  namespace: string
  name: string
  build: Build
  /** The selected stage. */
  stage: Stage | undefined
  mayWrite: boolean
  /** The server is expected to refuse this user's approval. */
  needsAdmin: boolean
}

const onlyAdmins = 'A Drone server lets only repository administrators approve and decline.'
const noPermission = 'Build is blocked, please, contact repo admin in order to proceed'

/**
 * Next to the Restart button of a canceled build, only the arrow is shown. Its accessible name
 * always has the words.
 */
function RestartWord({ isShort }: { isShort: boolean }) {
  return (
    <>
      <span className={isShort ? 'sr-only' : undefined}>
        Restart<span className="sr-only"> actions</span>
      </span>
      <ChevronDown className="size-4" aria-hidden="true" />
    </>
  )
}

/** A link must not start a build before the user confirms. */
function DebugDialog({ number, onDebug, onClose }: { number: number; onDebug: () => void; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Restart #${number} in debug mode?`}
      description="The new build runs the same commit, with a remote session where the runner offers one."
      footer={
        <>
          <Button
            variant="primary"
            onClick={() => {
              onClose()
              onDebug()
            }}
          >
            Debug
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    />
  )
}

type Open = 'promote' | 'rollback' | 'restart' | 'debug'
const opens: readonly Open[] = ['promote', 'rollback', 'restart', 'debug']

function Finished({ namespace, name, build, stage, onClosed }: BuildActionsProps & { onClosed: () => void }) {
  const address = { namespace, name, number: build.number }
  const isShort = build.status === 'killed'
  const search = useSearchParams()
  const request = deploymentRequest(search)
  const [open, setOpen] = useState(opens.find((dialog) => dialog === search.get('action')))
  const close = () => {
    setOpen(undefined)
    onClosed()
  }
  const restarts = useRestarts(address, build, stage)
  const items: MenuItem[] = [
    restarts.whole,
    { label: 'Promote', onSelect: () => setOpen('promote') },
    restarts.debug,
    ...restarts.parts,
    { label: 'With changes…', onSelect: () => setOpen('restart') },
    { label: 'Rollback', onSelect: () => setOpen('rollback') },
  ]
  const deployment = open === 'promote' || open === 'rollback' ? open : undefined
  return (
    <>
      {/* Restart is at the end, where Cancel was; on wide screens, where the buttons are aligned to
          the left, at the start. The wrapper is ordered: an opened menu has its own wrapper. */}
      <div className="contents lg:order-first lg:flex">
        <Menu
          label="Restart actions"
          items={items}
          buttonClassName={buttonClass('secondary', 'md', isShort ? 'w-11 px-0 touch:px-0' : '')}
          busy={restarts.busy && open === undefined}
        >
          <RestartWord isShort={isShort} />
        </Menu>
      </div>
      <NewBuildDialog
        repo={address}
        build={build}
        initial={search.get('action') === 'restart' ? newBuildRequest(search) : undefined}
        open={open === 'restart'}
        onClose={close}
      />
      {open === 'debug' && <DebugDialog number={build.number} onDebug={restarts.debug.onSelect} onClose={close} />}
      <DeploymentDialog
        key={deployment}
        build={{ ...address, status: build.status }}
        open={deployment !== undefined}
        initial={
          request?.action === deployment ? request : deployment && { action: deployment, target: '', parameters: [] }
        }
        onClose={close}
      />
    </>
  )
}

/** The outcome of each stage, if not all of them could be approved. */
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

/**
 * Approve, decline, cancel, or the menu, depending on the build and the user's permissions. Keyed
 * by build.
 */
export function BuildActions(props: BuildActionsProps) {
  return <ActionsOfBuild key={`${props.namespace}/${props.name}#${props.build.number}`} {...props} />
}

function ActionsOfBuild(props: BuildActionsProps) {
  const { namespace, name, build, stage, mayWrite, needsAdmin } = props
  const { key, clear } = useActionParam()
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
      {isAwaitingApproval(build, stage) && (
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
          {needsAdmin && <p className="order-last w-full max-w-120 text-sm text-muted">{onlyAdmins}</p>}
        </>
      )}
      <StopOrRestart address={address} status={build.status} />
      {isDone(build.status) && !blocked && <Finished key={key} {...props} onClosed={clear} />}
      <Outcomes of={outcomes} />
    </>
  )
}
