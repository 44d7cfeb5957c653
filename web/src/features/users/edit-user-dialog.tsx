import type { User } from '@flightdeck/api'

import { useAction } from '../../api/action.ts'
import { updateUser } from '../../api/actions/people.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { UserForm } from './user-form.tsx'

function EditForm({ user, onClose }: { user: User; onClose: () => void }) {
  const { run, pending, busy, refusal } = useAction(updateUser(user.login), onClose)
  const { login, email, admin, machine } = user
  return (
    <UserForm
      initial={{ login, email, admin, machine }}
      existing
      action="Save"
      pending={pending}
      busy={busy}
      refusal={refusal}
      onSubmit={(fields) => run(fields.admin)}
      onCancel={onClose}
    />
  )
}

export function EditUserDialog({ user, onClose }: { user: User | undefined; onClose: () => void }) {
  return (
    <Dialog open={user !== undefined} onClose={onClose} title={`Edit user ${user?.login ?? ''}`}>
      {user && <EditForm user={user} onClose={onClose} />}
    </Dialog>
  )
}
