import type { Repo } from '@flightdeck/api'

import { useCapability } from '../../api/capabilities.ts'
import { useMedia } from '../../browser/use-media.ts'
import { FavoriteStar } from '../common/favorite-star.tsx'
import { BuildStrip } from './build-strip.tsx'

/**
 * The widths at which a row has room for it (repo-row.tsx): not on phones, and not where the
 * columns fill the row.
 */
const hasRoom = '(min-width: 640px) and (max-width: 1023.98px), (min-width: 1280px)'

/** The end of a row, next to its link: the last builds and the star. */
export function RowEnd({ repo }: { repo: Repo }) {
  const isShown = useMedia(hasRoom)
  const isKnown = useCapability('last_builds')
  return (
    <span className="absolute inset-y-0 right-0 flex items-center">
      {isShown && isKnown && repo.build && <BuildStrip repo={repo} />}
      <FavoriteStar repo={repo} />
    </span>
  )
}
