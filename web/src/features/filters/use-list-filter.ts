import { useViews } from '../../api/views.ts'
import { useNow } from '../../browser/clock.ts'
import { useAddress, useNavigation, useSearchParams } from '../../browser/navigation.tsx'
import { withParams } from '../../lib/search-params.ts'
import {
  filterParams,
  isFiltered,
  readAddress,
  readConditions,
  type ListFilter,
  type ListName,
  type ReadFilter,
} from './filter.ts'

/**
 * Opens the bar without a filter. With the value `off`, the list ignores the user's default view.
 */
export const openParam = 'filters'
export const off = 'off'

export interface UsedFilter extends ReadFilter {
  filter: ListFilter
  filtered: boolean
  /** In Unix seconds. */
  now: number
}

/** The list's filter in the URL. */
export const useListFilter = (list: ListName): UsedFilter => {
  const filter = readAddress(useSearchParams(), list)
  const filtered = isFiltered(filter)
  const now = useNow(filtered ? 'minute' : 'never')
  return { filter, filtered, now, ...readConditions(filter, now) }
}

export type ChangeFilter = (changes: Partial<ListFilter>) => void

/** Changes the filter in the URL; other values stay. */
export const useChangeFilter = (list: ListName): ChangeFilter => {
  const { pathname, search } = useAddress()
  const { navigate } = useNavigation()
  const filter = readAddress(useSearchParams(), list)
  const hasDefault = useViews(list).views.some((view) => view.default)
  return (changes) => {
    const next = { ...filter, ...changes }
    // The default view must not be applied again.
    const open = hasDefault && !isFiltered(next) ? { [openParam]: '' } : {}
    navigate(`${pathname}${withParams(search, { ...filterParams(next, list), ...open })}`, {
      replace: true,
      keepOpen: true,
    })
  }
}
