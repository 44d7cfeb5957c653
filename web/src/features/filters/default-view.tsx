import { useViews } from '../../api/views.ts'
import { Redirect, useAddress } from '../../browser/navigation.tsx'
import { withParams } from '../../lib/search-params.ts'
import { filterParams, readAddress, type ListName } from './filter.ts'

/** Opens the user's default view of a list if the URL has no filter. */
export function DefaultView({ list }: { list: ListName }) {
  const { views } = useViews(list)
  const { pathname, search } = useAddress()
  const view = views.find((candidate) => candidate.default)
  if (!view) return null
  const params = filterParams(readAddress(new URLSearchParams(view.query), list), list)
  return <Redirect to={`${pathname}${withParams(search, params)}`} from={pathname} keepOpen />
}
