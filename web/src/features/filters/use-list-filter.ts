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

/** Opens the bar while nothing is filtered. With `off` the list is not filtered although the person has a default view. */
export const openParam = 'filters'
export const off = 'off'

export interface UsedFilter extends ReadFilter {
  filter: ListFilter
  filtered: boolean
  /** In seconds since 1970, for `meets`. */
  now: number
}

/** What the address filters a list by. */
export const useListFilter = (list: ListName): UsedFilter => {
  const filter = readAddress(useSearchParams(), list)
  const filtered = isFiltered(filter)
  const now = useNow(filtered ? 'minute' : 'never')
  return { filter, filtered, now, ...readConditions(filter, now) }
}

export type ChangeFilter = (changes: Partial<ListFilter>) => void

/** Changes the filter in the address; what is not changed stays. */
export const useChangeFilter = (list: ListName): ChangeFilter => {
  const { pathname, search } = useAddress()
  const { navigate } = useNavigation()
  const filter = readAddress(useSearchParams(), list)
  const hasDefault = useViews(list).views.some((view) => view.default)
  return (changes) => {
    const next = { ...filter, ...changes }
    // The default view must not come back.
    const open = hasDefault && !isFiltered(next) ? { [openParam]: '' } : {}
    navigate(`${pathname}${withParams(search, { ...filterParams(next, list), ...open })}`, {
      replace: true,
      keepOpen: true,
    })
  }
}
