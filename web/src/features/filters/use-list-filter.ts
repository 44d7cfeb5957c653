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

/** Opens the bar while nothing is filtered. */
export const openParam = 'filters'

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
  return (changes) =>
    navigate(`${pathname}${withParams(search, filterParams({ ...filter, ...changes }, list))}`, {
      replace: true,
      keepOpen: true,
    })
}
