import type { AuditEntry } from '@flightdeck/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'

import { client } from '../../api/client.ts'
import { moreOf } from '../../api/more-of.ts'
import { auditParameters, auditQuery } from '../../api/own-audit.ts'
import { failedRead } from '../../api/query-client.ts'
import { useTitle } from '../../browser/use-title.ts'
import { nowSeconds } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageBody, PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { SystemTabs } from '../common/system-tabs.tsx'
import { AuditFilterBar, useAuditFilter } from './audit-filter.tsx'
import { actionWords, detailWords } from './audit-words.ts'

function Row({ entry }: { entry: AuditEntry }) {
  const details = detailWords(entry.details)
  return (
    <li className="flex flex-col border-b border-line px-4 py-(--row-padding) last:border-b-0">
      <div className="flex min-w-0 items-baseline justify-between gap-x-4">
        <span className="min-w-0 wrap-anywhere">
          <span className="font-medium">{entry.user || 'Flightdeck'}</span> {actionWords(entry)}{' '}
          <span className="font-medium">{entry.target}</span>
          {entry.name && `: ${entry.name}`}
        </span>
        <RelativeTime className="shrink-0 text-sm text-muted" seconds={entry.time} />
      </div>
      <p className="flex min-w-0 flex-wrap gap-x-4 text-sm text-muted">
        {details.map((text) => (
          <span key={text} className="wrap-anywhere">
            {text}
          </span>
        ))}
        {entry.address && (
          <span title={entry.agent}>
            from <code className="font-mono text-sm wrap-anywhere">{entry.address}</code>
          </span>
        )}
      </p>
    </li>
  )
}

function Loading() {
  return (
    <>
      <LoadingText />
      <div className="rounded-lg border border-line bg-surface">
        {[1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="flex h-16 items-center gap-4 border-b border-line px-4 last:border-b-0">
            <Skeleton className="h-3 w-1/3" />
          </div>
        ))}
      </div>
    </>
  )
}

function Entries() {
  const [filter, change] = useAuditFilter()
  const query = useInfiniteQuery(auditQuery(filter, nowSeconds))
  const { data, error } = query
  if (!data && error) return <ErrorState {...failedRead('The audit log', query)} />
  if (!data) return <Loading />
  const entries = data.pages.flatMap(({ items }) => items)
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return (
    <>
      {entries.length > 0 ? (
        <ul aria-label="Changes" className="overflow-hidden rounded-lg border border-line bg-surface">
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </ul>
      ) : (
        <EmptyState
          title={isFiltered ? 'No changes match these filters' : 'It looks a little empty here!'}
          message={
            isFiltered
              ? 'Try different words or a longer time range.'
              : 'Changes to permissions, secrets, settings, tokens, approvals and deployments appear here.'
          }
        />
      )}
      <div className="flex flex-wrap justify-center gap-2">
        <ShowMore more={moreOf(query)} what="entries" label={entries.length > 0 ? undefined : 'Search older entries'} />
        {isFiltered && entries.length === 0 && (
          <Button variant="quiet" onClick={() => change({ user: '', kind: '', text: '', days: '' })}>
            Clear all
          </Button>
        )}
      </div>
    </>
  )
}

function Exports() {
  const [filter] = useAuditFilter()
  const of = (format: string): string =>
    client.url(
      `/api/audit/export?${new URLSearchParams({ format, ...auditParameters(filter, nowSeconds()) }).toString()}`,
    )
  return (
    <>
      <LinkButton external download href={of('csv')}>
        <Download className="size-4" aria-hidden="true" />
        CSV
      </LinkButton>
      <LinkButton external download href={of('jsonl')}>
        <Download className="size-4" aria-hidden="true" />
        JSON lines
      </LinkButton>
    </>
  )
}

/**
 * Changes of rights, secrets, settings, tokens, approvals and deployments. For administrators;
 * Flightdeck only.
 */
export function AuditPage() {
  useTitle('Audit log')
  return (
    <>
      <PageHeader title="Audit log" tabs={<SystemTabs />} actions={<Exports />} />
      <PageBody>
        <p className="text-muted">Entries are kept for a year. They never contain the values of secrets or tokens.</p>
        <AuditFilterBar />
        <Entries />
      </PageBody>
    </>
  )
}
