import { useMutation, useQueryClient } from '@tanstack/react-query'

import { client } from '../../api/client.ts'
import { errorText } from '../../api/query-client.ts'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import type { NewInvitation } from './invitation-dialog.tsx'

const ask = (login: string) =>
  confirm({
    title: `Are you sure you want to reset the password of ${login}?`,
    action: 'Reset password',
    description: `${login} is signed out and needs the new invitation that you get to sign in again.`,
    danger: true,
  })

/** Asks, ends the old password and hands over the link for a new one. */
export const useResetPassword = (onInvitation: (invitation: NewInvitation) => void) => {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (login: string) => client.inviteUser(login),
    onSuccess: (answer, login) => {
      onInvitation({ login, ...answer })
      return queryClient.invalidateQueries({ queryKey: ['listUsers'] })
    },
    onError: (error) => toast.error(`Unable to reset the password: ${errorText(error)}`),
  })
  return async (login: string) => {
    if (await ask(login)) mutate(login)
  }
}
