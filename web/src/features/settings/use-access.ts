import { useQuery } from '@tanstack/react-query'

import { queryOf } from '../../api/queries.ts'
import { canAdminister, isOwnServer, useMe } from '../../api/session.ts'
import type { SettingsPageProps } from './page-props.ts'

/** Repository administrators, and only where the server has such routes. */
export function useMayManageAccess({ namespace, name }: Pick<SettingsPageProps, 'namespace' | 'name'>): boolean {
  const me = useMe()
  const { data: repo } = useQuery(queryOf('getRepo', namespace, name))
  return isOwnServer(me) && repo !== undefined && canAdminister(me, repo)
}
