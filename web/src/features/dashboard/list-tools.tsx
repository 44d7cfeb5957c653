/** How the list is ordered and narrowed, and its stars: comes after the first rows (deferred-parts.ts). */
import { useKeys } from '../../browser/use-keys.ts'
import { sorts, type Sort } from '../../lib/repo-list.ts'
import { SelectField } from '../../ui/select-field.tsx'

const labels: Record<Sort, string> = { activity: 'Activity', name: 'Name', status: 'Status' }
const options = sorts.map((sort) => ({ value: sort, label: labels[sort] }))

/** `s` at a row: its favorite is set or taken back. */
const pressStar = (): void => {
  const row = document.activeElement?.closest('[data-row]')
  row?.parentElement?.querySelector<HTMLElement>('[data-favorite]')?.click()
}

export function SortField({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  useKeys((key) => {
    if (key === 's') pressStar()
  })
  return (
    <SelectField
      label="Sort by"
      hideLabel
      value={sort}
      options={options}
      onChange={(value) => onSort(sorts.find((one) => one === value) ?? sorts[0])}
    />
  )
}

export { inView } from '../../lib/repo-view.ts'
export { RowStar } from './row-star.tsx'
export { StatusStrip } from './status-strip.tsx'
