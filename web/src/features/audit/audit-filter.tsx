import type { AuditKind } from '@flightdeck/api'
import { useState } from 'react'

import type { AuditFilter } from '../../api/own-audit.ts'
import { useAddress, useNavigation, useSearchParams } from '../../browser/navigation.tsx'
import { useDelay } from '../../browser/use-delay.ts'
import { withParams } from '../../lib/search-params.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

const kinds: readonly { value: AuditKind | ''; label: string }[] = [
  { value: '', label: 'All changes' },
  { value: 'rights', label: 'Rights' },
  { value: 'secrets', label: 'Secrets' },
  { value: 'settings', label: 'Settings' },
  { value: 'tokens', label: 'Tokens and passwords' },
  { value: 'approvals', label: 'Approvals' },
  { value: 'deployments', label: 'Deployments' },
]
const periods = [
  { value: '', label: 'Whole year' },
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
]
/** Long enough to type a word: browsers refuse more than some hundred changes of the address in half a minute. */
const pauseMs = 300

/** The filter of the address, and the way to change it there. */
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

function Typed({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    if (typed.trim() !== value) setTyped(value)
  }
  useDelay(typed.trim() === value ? undefined : typed.trim(), pauseMs, onChange)
  return (
    <TextField
      hideLabel
      type="search"
      label={label}
      placeholder={label}
      spellCheck={false}
      value={typed}
      onChange={setTyped}
    />
  )
}

/** By person, kind, time and text. */
export function AuditFilterBar() {
  const [filter, change] = useAuditFilter()
  return (
    <div role="search" aria-label="Filter changes" className="grid grid-cols-2 gap-2 lg:grid-cols-[1fr_1fr_auto_auto]">
      <Typed label="Person" value={filter.user} onChange={(user) => change({ user })} />
      <Typed label="Repository, name or action" value={filter.text} onChange={(text) => change({ text })} />
      <SelectField
        hideLabel
        label="Kind of change"
        value={filter.kind}
        options={kinds}
        onChange={(value) => change({ kind: kinds.find((kind) => kind.value === value)?.value ?? '' })}
      />
      <SelectField hideLabel label="Time" value={filter.days} options={periods} onChange={(days) => change({ days })} />
    </div>
  )
}
