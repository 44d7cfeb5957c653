import { useQuery } from '@tanstack/react-query'

import { queryOf } from '../../api/queries.ts'
import { can } from '../../api/capabilities.ts'
import { canAdminister, useMe } from '../../api/session.ts'
import type { SettingsPageProps } from './page-props.ts'

/** Repository administrators, and only where the server has such routes. */
export function useMayManageAccess({ namespace, name }: Pick<SettingsPageProps, 'namespace' | 'name'>): boolean {
  const me = useMe()
  const { data: repo } = useQuery(queryOf('getRepo', namespace, name))
  return can(me, 'access') && repo !== undefined && canAdminister(me, repo)
}

/**
 * Our own server gives a namespace to system administrators and to the person it is named after (docs/roles.md). Others ask
 * their forge who belongs to an organization, which the browser cannot know: there it is shown to repository
 * administrators, and the server has the last word.
 */
export function useMayKeepOrgSecrets({ namespace, name }: Pick<SettingsPageProps, 'namespace' | 'name'>): boolean {
  const me = useMe()
  const { data: repo } = useQuery(queryOf('getRepo', namespace, name))
  if (can(me, 'personal_namespaces')) return me?.admin === true || me?.login.toLowerCase() === namespace.toLowerCase()
  return repo !== undefined && canAdminister(me, repo)
}
