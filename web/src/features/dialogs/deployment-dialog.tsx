import { useState, type ReactNode } from 'react'

import { useAction } from '../../api/action.ts'
import { deployBuild, type BuildAddress, type Deployment } from '../../api/actions/builds.ts'
import { useTargetNames } from '../../api/name-suggestions.ts'
import { paths } from '../../lib/paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFooter } from '../../ui/form-footer.tsx'
import { useNavigation } from '../../browser/navigation.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { DeploymentRequest } from './deployment-request.ts'

import { ParamsEditor } from './params-editor.tsx'
import { useParams } from './use-params.ts'

/** Specification §9. */
const defaultTarget = 'production'
/** The query key of the call that is not a parameter of the build (docs/api §2.4). */
const taken = ['target']

interface FormProps {
  build: BuildAddress & { status?: string }
  onClose: () => void
  initial?: DeploymentRequest | undefined
  /** Shown above the fields. */
  children?: ReactNode
}

const types = [
  { value: 'promote', label: 'Promote' },
  { value: 'rollback', label: 'Rollback' },
]

function DeploymentForm(props: FormProps) {
  const { build, initial, onClose } = props
  const { navigate } = useNavigation()
  const [action, setAction] = useState<Deployment['action']>(initial?.action ?? 'promote')
  const [target, setTarget] = useState(initial?.target ?? '')
  const params = useParams(taken, initial?.parameters)
  const targets = useTargetNames(build.namespace, build.name)
  const { run, pending, busy, refusal } = useAction(deployBuild(build), ({ number }) => {
    onClose()
    navigate(paths.build(build.namespace, build.name, number), { via: 'follow' })
  })
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (params.refuses(event.currentTarget)) return
        run({ action, target: target.trim() || defaultTarget, parameters: params.toSend() })
      }}
    >
      {build.status !== undefined && build.status !== 'success' && (
        <p role="status" className="rounded-md border-l-3 border-warning bg-warning-soft px-3 py-2">
          Build #{build.number} did not succeed ({build.status}). Its commit is deployed anyway.
        </p>
      )}
      {props.children}
      <SelectField
        label="Type"
        value={action}
        options={types}
        onChange={(value) => setAction(value === 'rollback' ? 'rollback' : 'promote')}
      />
      <TextField
        label="Target"
        value={target}
        onChange={setTarget}
        choices={targets}
        placeholder={defaultTarget}
        spellCheck={false}
        help={`The environment to deploy to. Defaults to ${defaultTarget}.`}
      />
      <ParamsEditor state={params} />
      <FormFooter action="Deploy" pending={pending} busy={busy} refusal={refusal} onCancel={onClose} />
    </form>
  )
}

/** Promotes the build to an environment, or rolls back to it. */
export function DeploymentDialog({ open, ...props }: FormProps & { open: boolean }) {
  return (
    <Dialog
      open={open}
      onClose={props.onClose}
      title="Create deployment"
      description={`Runs the deployment pipeline for the commit of build #${props.build.number}.`}
    >
      <DeploymentForm {...props} />
    </Dialog>
  )
}
