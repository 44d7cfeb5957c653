import { useViews } from '../../api/views.ts'
import { useAddress, useNavigation } from '../../browser/navigation.tsx'
import { withParams } from '../../lib/search-params.ts'
import { Button } from '../../ui/button.tsx'
import { filtersOf, isFiltered, readAddress, type ListName } from './filter.ts'
import { MineButton } from './mine-button.tsx'
import { off, openParam } from './use-list-filter.ts'

/**
 * Placed in the page header, so that filters don't push the list down. `mine`: show the button for
 * the user's own builds.
 */
export function FilterButtons({ list, mine = true }: { list: ListName; mine?: boolean }) {
  const { pathname, search } = useAddress()
  const { navigate } = useNavigation()
  const params = new URLSearchParams(search)
  const filter = readAddress(params, list)
  const { views } = useViews(list)
  const hasDefault = views.some((view) => view.default)
  const isOpen = params.get(openParam) === '' || isFiltered(filter)
  const toggle = (): void => {
    const none = Object.fromEntries(filtersOf[list].map((name) => [name, undefined]))
    const open = isOpen ? (hasDefault ? off : undefined) : ''
    navigate(`${pathname}${withParams(search, { ...(isOpen && none), [openParam]: open })}`, {
      replace: true,
      keepOpen: true,
    })
  }
  return (
    <>
      {/* On a phone it is among the filters. */}
      {mine && <MineButton list={list} variant="quiet" className="max-md:hidden" />}
      <Button aria-expanded={isOpen} onClick={toggle}>
        Filter
      </Button>
    </>
  )
}
