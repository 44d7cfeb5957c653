import type { Repo } from '@flightdeck/api'
import { Star } from 'lucide-react'
import { useLayoutEffect } from 'react'

import { useAction } from '../../api/action.ts'
import { setFavorite } from '../../api/favorites.ts'
import { useMe } from '../../api/session.ts'
import { IconButton } from '../../ui/icon-button.tsx'

/** The focused element when a star was clicked: a row that moves in the page loses the focus. */
let focused: Element | null = null

const restoreFocus = (): void => {
  const isLost = document.activeElement === null || document.activeElement === document.body
  if (isLost && focused instanceof HTMLElement && focused.isConnected) focused.focus()
  focused = null
}

/** Adds a repository to the favorites, or removes it. */
export function FavoriteStar({ repo }: { repo: Pick<Repo, 'namespace' | 'name' | 'slug'> }) {
  const isFavorite = useMe()?.favorites?.includes(repo.slug) ?? false
  const { run, busy } = useAction(setFavorite(repo))
  useLayoutEffect(restoreFocus, [isFavorite])
  return (
    <IconButton
      label={`Favorite ${repo.slug}`}
      hint={isFavorite ? 'Remove from favorites' : 'Add to favorites'}
      aria-pressed={isFavorite}
      data-favorite
      side="left"
      onClick={() => {
        if (busy) return
        focused = document.activeElement
        run(!isFavorite)
      }}
    >
      <Star className="size-4" fill={isFavorite ? 'currentColor' : 'none'} aria-hidden="true" />
    </IconButton>
  )
}
