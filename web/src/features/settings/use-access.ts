import { useQuery } from '@tanstack/react-query'

import { queryOf } from '../../api/queries.ts'
import { can } from '../../api/capabilities.ts'
import { canAdminister, useMe } from '../../api/session.ts'
import type { SettingsPageProps } from './page-props.ts'

/** Whether the user administers the repository and the server has this feature. */
export function useMayManageAccess({ namespace, name }: Pick<SettingsPageProps, 'namespace' | 'name'>): boolean {
  const me = useMe()
  const { data: repo } = useQuery(queryOf('getRepo', namespace, name))
  return can(me, 'access') && repo !== undefined && canAdminister(me, repo)
}

/**
 * Flightdeck's own server grants a namespace to system administrators and to the user it is named
 * after (docs/roles.md). Other servers check organization membership at their forge, which the
 * browser can't know: there, the page is shown to repository administrators, and the server
 * decides.
 */
export function useMayKeepOrgSecrets({ namespace, name }: Pick<SettingsPageProps, 'namespace' | 'name'>): boolean {
  const me = useMe()
  const { data: repo } = useQuery(queryOf('getRepo', namespace, name))
  if (can(me, 'personal_namespaces')) return me?.admin === true || me?.login.toLowerCase() === namespace.toLowerCase()
  return repo !== undefined && canAdminister(me, repo)
}
