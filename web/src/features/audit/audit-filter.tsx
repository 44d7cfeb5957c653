import type { AuditKind } from '@flightdeck/api'

import type { AuditFilter } from '../../api/own-audit.ts'
import { useAddress, useNavigation, useSearchParams } from '../../browser/navigation.tsx'
import { withParams } from '../../lib/search-params.ts'
import { FilterField } from '../../ui/filter-field.tsx'
import { SelectField } from '../../ui/select-field.tsx'

const kinds: readonly { value: AuditKind | ''; label: string }[] = [
  { value: '', label: 'All changes' },
  { value: 'rights', label: 'Permissions' },
  { value: 'secrets', label: 'Secrets' },
  { value: 'settings', label: 'Settings' },
  { value: 'tokens', label: 'Tokens and passwords' },
  { value: 'approvals', label: 'Approvals' },
  { value: 'deployments', label: 'Deployments' },
]
const periods = [
  { value: '', label: 'Last year' },
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
]

/** The filter in the URL, and a function that changes it. */
export const useAuditFilter = (): [AuditFilter, (changes: Partial<AuditFilter>) => void] => {
  const { pathname, search } = useAddress()
  const { navigate } = useNavigation()
  const params = useSearchParams()
  const text = (name: string): string => params.get(name)?.trim() ?? ''
  const kind = kinds.find(({ value }) => value === text('kind'))?.value ?? ''
  const days = periods.find(({ value }) => value === text('days'))?.value ?? ''
  const filter = { user: text('user'), text: text('text'), kind, days }
  const change = (changes: Partial<AuditFilter>): void => {
    const next = Object.entries({ ...filter, ...changes }).map(([name, value]) => [name, value || undefined] as const)
    navigate(`${pathname}${withParams(search, Object.fromEntries(next))}`, { replace: true, keepOpen: true })
  }
  return [filter, change]
}

/** Filters by user, kind, time and text. */
export function AuditFilterBar() {
  const [filter, change] = useAuditFilter()
  return (
    <search
      aria-label="Filter changes"
      className="grid grid-cols-2 gap-2 *:min-w-0 max-md:[&>:nth-child(-n+2)]:col-span-2 lg:grid-cols-[1fr_1fr_auto_auto]"
    >
      <FilterField label="Person" value={filter.user} onChange={(user) => change({ user })} />
      <FilterField label="Repository, name or action" value={filter.text} onChange={(text) => change({ text })} />
      <SelectField
        hideLabel
        label="Type of change"
        value={filter.kind}
        options={kinds}
        onChange={(value) => change({ kind: kinds.find((kind) => kind.value === value)?.value ?? '' })}
      />
      <SelectField hideLabel label="Time" value={filter.days} options={periods} onChange={(days) => change({ days })} />
    </search>
  )
}
