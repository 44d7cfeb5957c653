import { memo, Suspense } from 'react'

import type { Sort } from '../../lib/repo-list.ts'
import { formatNumber } from '../../lib/text.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { SortField } from './deferred-parts.ts'

type OnOff = 'off' | 'on'

export interface ListHeadProps {
  /** Undefined while unknown. */
  count: number | undefined
  /** Why the list is incomplete. */
  note: string | undefined
  filter: string
  onFilter: (filter: string) => void
  active: OnOff
  onActive: (active: OnOff) => void
  sort: Sort
  onSort: (sort: Sort) => void
  /** The organization whose repositories are listed. */
  owner: string | undefined
  onOwner: (owner: string | undefined) => void
}

/**
 * The list's title, count and filters. Memoized: React would update the input fields at each live
 * event.
 */
export const ListHead = memo(function ListHead({
  count,
  note,
  filter,
  onFilter,
  active,
  onActive,
  sort,
  onSort,
  owner,
  onOwner,
}: ListHeadProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {/* As wide as with a spinner, so that the line wraps the same once the list is complete. */}
      <h2 id="repositories" className="min-w-44 flex-1 text-lg font-semibold whitespace-nowrap">
        Repositories{' '}
        <span className="font-normal text-muted tabular-nums">{count === undefined ? '–' : formatNumber(count)}</span>
        {note && <Spinner className="ml-2 inline-block align-[-0.125em] text-muted xl:hidden" />}
      </h2>
      {/* Its text only if it fits on the line: the list must not move when it disappears. */}
      {note && (
        <span role="status" className="text-sm text-muted max-xl:sr-only">
          {note}
        </span>
      )}
      <SwitchField
        label="Active Only"
        checked={active === 'on'}
        onChange={(checked) => onActive(checked ? 'on' : 'off')}
      />
      <div className="flex h-8 w-full justify-end gap-2 sm:w-76 touch:h-11">
        <Suspense>
          <SortField sort={sort} onSort={onSort} owner={owner} onOwner={onOwner} />
        </Suspense>
      </div>
      <TextField
        label="Filter"
        hideLabel
        type="text"
        placeholder="Filter"
        value={filter}
        onChange={onFilter}
        className="w-full lg:w-52"
      />
    </div>
  )
})
