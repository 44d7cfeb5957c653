import { useRef } from 'react'

import { useMe } from '../api/session.ts'
import { useNavigation } from '../browser/navigation.tsx'
import { findOnPage } from '../browser/page-find.ts'
import { searchKey, useKeys } from '../browser/use-keys.ts'
import { paths } from '../lib/paths.ts'
import { focusRow } from './row-focus.ts'
import { openSearch } from './search-drawer-state.ts'

const pages: Record<string, string> = { h: paths.home, b: paths.feed, a: paths.account, w: paths.wall }

/**
 * Keyboard shortcuts of every page (design.md, rule 5). Part of the first load, so that `j` works
 * as soon as rows are visible.
 */
export const usePageKeys = (onList: () => void): void => {
  const { navigate } = useNavigation()
  const signedIn = useMe() !== undefined
  const going = useRef(false)
  useKeys((key, event) => {
    const page = going.current ? pages[key] : undefined
    going.current = key === 'g'
    if (key === '?') onList()
    else if (!signedIn) return
    else if (page) navigate(page)
    else if (key === 'j' || key === 'k') focusRow(key === 'j' ? 1 : -1)
    else if (key === '/' || key === searchKey) {
      event.preventDefault()
      if (key === searchKey || !findOnPage()) openSearch()
    }
  })
}
