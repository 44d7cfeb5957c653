import type { Collaborator, Role } from '@flightdeck/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { client } from '../../api/client.ts'
import { errorText, isStatus } from '../../api/query-client.ts'
import { repoQuery } from '../../api/queries.ts'
import { canAdminister, isOwnServer, useMe } from '../../api/session.ts'
import { rightsOf } from '../../lib/role.ts'
import { toast } from '../../ui/toast.tsx'
import type { SettingsPageProps } from './page-props.ts'

/** Repository administrators, and only where the server has such routes. */
export function useMayManageAccess({ namespace, name }: Pick<SettingsPageProps, 'namespace' | 'name'>): boolean {
  const me = useMe()
  const { data: repo } = useQuery(repoQuery(namespace, name))
  return isOwnServer(me) && repo !== undefined && canAdminister(me, repo)
}

const inWords: Record<Role, string> = { read: 'read', write: 'write', admin: 'administer' }

/** After a change of one's own rights what is on the screen may not be for one's eyes any more: it is forgotten. */
const useRefresh = ({ namespace, name }: SettingsPageProps) => {
  const queryClient = useQueryClient()
  const me = useMe()
  return (login: string) => {
    if (login === me?.login) void queryClient.resetQueries({ queryKey: ['getRepo', namespace, name] })
    return queryClient.invalidateQueries({ queryKey: ['listCollaborators', namespace, name] })
  }
}

export const useSetRole = (repo: SettingsPageProps, onDone?: () => void) => {
  const refresh = useRefresh(repo)
  return useMutation({
    mutationFn: ({ login, role }: { login: string; role: Role }) =>
      client.setCollaborator(repo.namespace, repo.name, login, rightsOf(role)),
    onSuccess: (_answer, { login, role }) => {
      toast.success(`${login} may now ${inWords[role]}`)
      onDone?.()
      return refresh(login)
    },
    onError: (error) => {
      if (!isStatus(error, 404)) toast.error(`Unable to change access: ${errorText(error)}`)
    },
  })
}

export const useRemove = (repo: SettingsPageProps) => {
  const refresh = useRefresh(repo)
  return useMutation({
    mutationFn: ({ login }: Pick<Collaborator, 'login'>) => client.deleteCollaborator(repo.namespace, repo.name, login),
    onSuccess: (_answer, { login }) => {
      toast.success(`${login} has no access of their own any more`)
      return refresh(login)
    },
    onError: (error) => toast.error(`Unable to remove access: ${errorText(error)}`),
  })
}
