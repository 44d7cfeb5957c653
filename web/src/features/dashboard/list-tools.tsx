/**
 * The order, filters and stars of the list, which load after the first rows (deferred-parts.ts).
 */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { reposQuery } from '../../api/queries.ts'
import { useAddress, useNavigation } from '../../browser/navigation.tsx'
import { writePreference } from '../../browser/preference.ts'
import { useKeys } from '../../browser/use-keys.ts'
import { sorts, type Sort } from '../../lib/repo-list.ts'
import { countOwners } from '../../lib/repo-view.ts'
import { withParams } from '../../lib/search-params.ts'
import { formatNumber } from '../../lib/text.ts'
import { SelectField } from '../../ui/select-field.tsx'

const labels: Record<Sort, string> = { activity: 'Activity', name: 'Name', status: 'Status' }
const options = sorts.map((sort) => ({ value: sort, label: labels[sort] }))

/** `s` on a row adds it to the favorites, or removes it. */
const pressStar = (): void => {
  const row = document.activeElement?.closest('[data-row]')
  row?.parentElement?.querySelector<HTMLElement>('[data-favorite]')?.click()
}

interface OwnerProps {
  owner: string | undefined
  onOwner: (owner: string | undefined) => void
}

const ownerKey = 'dashboard.owner'
export const forgetOwner = (): void => writePreference(ownerKey, undefined)

/**
 * Shows the repositories of one organization; hidden if there is only one. Stored in the URL, and
 * remembered.
 */
function OwnerField({ owner, onOwner }: OwnerProps) {
  const { data: repos } = useQuery(reposQuery())
  const { navigate } = useNavigation()
  const { pathname, search } = useAddress()
  const owners = useMemo(() => countOwners(repos ?? []), [repos])
  if (owners.length < 2 && !owner) return null
  const isGone = owner !== undefined && !owners.some(([name]) => name === owner)
  return (
    <SelectField
      label="Organization"
      hideLabel
      value={owner ?? ''}
      options={[
        { value: '', label: 'All organizations' },
        ...(isGone ? [{ value: owner, label: owner }] : []),
        ...owners.map(([name, count]) => ({ value: name, label: `${name} (${formatNumber(count)})` })),
      ]}
      className="min-w-0 flex-1"
      onChange={(value) => {
        const next = value || undefined
        writePreference(ownerKey, next)
        onOwner(next)
        navigate(`${pathname}${withParams(search, { owner: next })}`, { replace: true, keepOpen: true })
      }}
    />
  )
}

interface SortFieldProps extends OwnerProps {
  sort: Sort
  onSort: (sort: Sort) => void
}

export function SortField({ sort, onSort, ...props }: SortFieldProps) {
  useKeys((key) => {
    if (key === 's') pressStar()
  })
  return (
    <>
      <OwnerField {...props} />
      <SelectField
        label="Sort by"
        hideLabel
        value={sort}
        options={options}
        className="w-30 shrink-0"
        onChange={(value) => onSort(sorts.find((sort) => sort === value) ?? sorts[0])}
      />
    </>
  )
}

export { inView } from '../../lib/repo-view.ts'
export { RowEnd } from './row-end.tsx'
export { StatusStrip } from './status-strip.tsx'
