import type { Repo } from '@flightdeck/api'

import { FavoriteStar } from '../common/favorite-star.tsx'

/** The star at the end of a row: beside its link, not in it. */
export function RowStar({ repo }: { repo: Repo }) {
  return (
    <span className="absolute inset-y-0 right-0 flex items-center">
      <FavoriteStar repo={repo} />
    </span>
  )
}
