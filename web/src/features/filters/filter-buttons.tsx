import { useMe } from '../../api/session.ts'
import { useAddress, useNavigation } from '../../browser/navigation.tsx'
import { withParams } from '../../lib/search-params.ts'
import { Button } from '../../ui/button.tsx'
import { filtersOf, isFiltered, readAddress, type ListName } from './filter.ts'
import { openParam, useChangeFilter } from './use-list-filter.ts'

/** Placed in the page header, so that filters don't push the list down. `mine`: show the button for the user's own builds. */
export function FilterButtons({ list, mine = true }: { list: ListName; mine?: boolean }) {
  const { pathname, search } = useAddress()
  const { navigate } = useNavigation()
  const change = useChangeFilter(list)
  const me = useMe()
  const params = new URLSearchParams(search)
  const filter = readAddress(params, list)
  const isMine = me !== undefined && filter.author.toLowerCase() === me.login.toLowerCase()
  const isOpen = params.has(openParam) || isFiltered(filter)
  const toggle = (): void => {
    const names = [openParam, ...filtersOf[list]]
    const changes = isOpen ? Object.fromEntries(names.map((name) => [name, undefined])) : { [openParam]: '' }
    navigate(`${pathname}${withParams(search, changes)}`, { replace: true, keepOpen: true })
  }
  return (
    <>
      {me && mine && (
        <Button
          variant="quiet"
          className="max-md:hidden"
          aria-pressed={isMine}
          onClick={() => change({ author: isMine ? '' : me.login })}
        >
          Mine
        </Button>
      )}
      <Button aria-expanded={isOpen} onClick={toggle}>
        Filter
      </Button>
    </>
  )
}
