import type { Repo } from '@flightdeck/api'

import { forgeOf } from '../../api/forge.ts'

/** `View on GitLab`, for the forge of the repository; nothing for a local repository. */
export function ForgeLink({ repo, href }: { repo: Repo | undefined; href: string | undefined }) {
  const forge = forgeOf(repo)
  if (!forge || !href) return null
  return (
    <a href={href} target="_blank" rel="noreferrer" className="rounded-sm text-accent hover:underline touch:py-3">
      View on {forge.title}
    </a>
  )
}
