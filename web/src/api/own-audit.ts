/** The audit log: only our own server has it. */
import type { AuditKind, AuditPage } from '@flightdeck/api'
import { infiniteQueryOptions } from '@tanstack/react-query'

import { isRecord, read } from './own.ts'

/** Empty texts restrict nothing. */
export interface AuditFilter {
  user: string
  kind: AuditKind | ''
  text: string
  /** Days from today back; empty: all. */
  days: string
}

const daySeconds = 86_400

export const auditParameters = ({ user, kind, text, days }: AuditFilter, now: number): string => {
  const since = days === '' ? '' : String(now - Number(days) * daySeconds)
  const given = Object.entries({ user, kind, text, since }).filter(([, value]) => value !== '')
  return new URLSearchParams(given).toString()
}

const isEntry = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['action'] === 'string' &&
  typeof value['time'] === 'number' &&
  isRecord(value['details'])

export const auditQuery = (filter: AuditFilter, now: () => number) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => {
      const before = pageParam === 0 ? '' : `&before=${pageParam}`
      return read<AuditPage>(
        `/api/audit?${auditParameters(filter, now())}${before}`,
        ({ items }) => Array.isArray(items) && items.every(isEntry),
      )
    },
    initialPageParam: 0,
    getNextPageParam: (last) => last.next,
  })
