/** The audit log (Flightdeck only). */
import type { AuditKind } from '@flightdeck/api'
import { infiniteQueryOptions } from '@tanstack/react-query'

import { keyOf } from './keys.ts'
import { ownClient } from './own-client.ts'

/** Empty strings match everything. */
export interface AuditFilter {
  user: string
  kind: AuditKind | ''
  text: string
  /** The number of past days; empty: all. */
  days: string
}

const daySeconds = 86_400

/** The request parameters; `now` in Unix seconds. */
export const auditParameters = ({ user, kind, text, days }: AuditFilter, now: number): Record<string, string> => {
  const since = days === '' ? '' : String(now - Number(days) * daySeconds)
  return Object.fromEntries(Object.entries({ user, kind, text, since }).filter(([, value]) => value !== ''))
}

export const auditQuery = (filter: AuditFilter, now: () => number) =>
  infiniteQueryOptions({
    queryKey: [...keyOf('listAudit'), filter],
    queryFn: ({ pageParam }) => {
      const { since, ...rest } = auditParameters(filter, now())
      return ownClient.listAudit({ ...rest, ...(since !== undefined && { since: Number(since) }), before: pageParam })
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => last.next,
  })
