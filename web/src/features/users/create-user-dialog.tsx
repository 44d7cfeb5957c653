import type { CreatedUser } from '@flightdeck/api'

import { useAction } from '../../api/action.ts'
import { createUser } from '../../api/actions/people.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { showInvitation, showToken } from './one-time.tsx'
import { UserForm, type UserFields } from './user-form.tsx'

const nobody: UserFields = { login: '', email: '', admin: false, machine: false }

/**
 * Only this response has a machine user's token, or a person's invitation, if the server creates
 * one.
 */
const keep = (answer: CreatedUser | undefined, { login, machine }: { login: string; machine?: boolean }): void => {
  if (machine && answer?.token) showToken(login, answer.token)
  if (answer?.invitation) showInvitation(login, answer.invitation)
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const { run, pending, busy, refusal } = useAction(createUser(keep), onClose)
  return (
    <UserForm
      initial={nobody}
      existing={false}
      action="Create"
      pending={pending}
      busy={busy}
      // The error belongs to a field: it is shown here while it applies, not only in the toast.
      refusal={refusal && { ...refusal, elsewhere: false }}
      onSubmit={run}
      onCancel={onClose}
    />
  )
}

export function CreateUserDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="New user">
      <CreateForm onClose={onClose} />
    </Dialog>
  )
}
