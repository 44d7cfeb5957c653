import type { User } from '@flightdeck/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { client } from '../../api/client.ts'
import { errorText } from '../../api/query-client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { UserForm } from './user-form.tsx'

function EditForm({ user, onClose }: { user: User; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (admin: boolean) => client.updateUser(user.login, { admin }),
    onSuccess: () => {
      toast.success('User settings have been updated')
      onClose()
      return queryClient.invalidateQueries({ queryKey: ['listUsers'] })
    },
    // Specification §8: the text is "also used for a failed update".
    onError: (failure) => toast.error(`Unable to create new user: ${errorText(failure)}`),
  })
  const { login, email, admin, machine } = user
  return (
    <UserForm
      initial={{ login, email, admin, machine }}
      existing
      action="Save"
      busy={isPending}
      refused={error ? errorText(error) : undefined}
      onSubmit={(fields) => mutate(fields.admin)}
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
