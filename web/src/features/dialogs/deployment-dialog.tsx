import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '../../api/client.ts'
import { errorText } from '../../api/query-client.ts'
import { paths } from '../../lib/paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useNavigation } from '../../ui/navigation.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import type { DeploymentAction, DeploymentRequest } from './deployment-request.ts'
import { FormFooter } from './form-footer.tsx'
import { ParamsEditor } from './params-editor.tsx'
import { useParams } from './use-params.ts'

/** Specification §9. */
const defaultTarget = 'production'

const noResult = 'Unable to create new deploy in this repo'

interface FormProps {
  repo: { namespace: string; name: string }
  build: { number: number }
  onClose: () => void
  initial?: DeploymentRequest | undefined
}

interface Deployment {
  action: DeploymentAction
  target: string
  parameters: Record<string, string>
}

const useDeploy = ({ repo: { namespace, name }, build, onClose }: FormProps) => {
  const queryClient = useQueryClient()
  const { navigate } = useNavigation()
  return useMutation({
    mutationFn: ({ action, target, parameters }: Deployment) => {
      const send = action === 'promote' ? client.promoteBuild : client.rollbackBuild
      return send(namespace, name, build.number, target, parameters)
    },
    onSuccess: (created) => {
      if (!created) {
        toast.error(noResult)
        return
      }
      void queryClient.invalidateQueries({ queryKey: ['listBuilds', namespace, name] })
      void queryClient.invalidateQueries({ queryKey: ['listDeployments', namespace, name] })
      onClose()
      navigate(paths.build(namespace, name, created.number))
    },
    onError: (error) => toast.error(`Unable to create new deploy: ${errorText(error)}`),
  })
}

const types = [
  { value: 'promote', label: 'Promote' },
  { value: 'rollback', label: 'Rollback' },
]

function DeploymentForm(props: FormProps) {
  const { initial, onClose } = props
  const [action, setAction] = useState<DeploymentAction>(initial?.action ?? 'promote')
  const [target, setTarget] = useState(initial?.target ?? '')
  const params = useParams(initial?.parameters)
  const { mutate, isPending, error } = useDeploy(props)
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ action, target: target.trim() || defaultTarget, parameters: params.toSend() })
      }}
    >
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
        placeholder={defaultTarget}
        spellCheck={false}
        help={`The environment to deploy to. Empty: ${defaultTarget}`}
      />
      <ParamsEditor state={params} />
      <FormFooter action="Deploy" busy={isPending} error={error ? errorText(error) : undefined} onCancel={onClose} />
    </form>
  )
}

/** Promotes or rolls back to an environment, from the build that is looked at. */
export function DeploymentDialog({ open, ...props }: FormProps & { open: boolean }) {
  return (
    <Dialog
      open={open}
      onClose={props.onClose}
      title="Create deployment"
      description={`Runs the deployment pipeline with the commit of build #${props.build.number}.`}
    >
      <DeploymentForm {...props} />
    </Dialog>
  )
}
