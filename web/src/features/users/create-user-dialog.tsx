import { useMutation, useQueryClient } from '@tanstack/react-query'

import { client } from '../../api/client.ts'
import { errorText } from '../../api/query-client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import type { NewInvitation } from './invitation-dialog.tsx'
import type { NewToken } from './token-dialog.tsx'
import { UserForm, type UserFields } from './user-form.tsx'

interface CreateProps {
  onClose: () => void
  /** A machine user's token is in this answer and nowhere else. */
  onToken: (token: NewToken) => void
  /** Of a person, where the server makes one. */
  onInvitation: (invitation: NewInvitation) => void
}

const nobody: UserFields = { login: '', email: '', admin: false, machine: false }

function CreateForm({ onClose, onToken, onInvitation }: CreateProps) {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: UserFields) => client.createUser(fields),
    onSuccess: (answer, fields) => {
      toast.success('New user has been created successfully')
      onClose()
      if (fields.machine && answer?.token) onToken({ login: fields.login, token: answer.token })
      if (answer?.invitation) onInvitation({ login: fields.login, ...answer.invitation })
      return queryClient.invalidateQueries({ queryKey: ['listUsers'] })
    },
    onError: (failure) => toast.error(`Unable to create new user: ${errorText(failure)}`),
  })
  return (
    <UserForm
      initial={nobody}
      existing={false}
      action="Create"
      busy={isPending}
      refused={error ? errorText(error) : undefined}
      onSubmit={mutate}
      onCancel={onClose}
    />
  )
}

export function CreateUserDialog({ open, ...props }: CreateProps & { open: boolean }) {
  return (
    <Dialog open={open} onClose={props.onClose} title="New user">
      <CreateForm {...props} />
    </Dialog>
  )
}
