import type { Repo } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'

import { reposQuery } from '../../api/queries.ts'
import { canAdminister, useMe } from '../../api/session.ts'
import { lazyPart } from '../../browser/lazy-part.tsx'
import { Button } from '../../ui/button.tsx'

const ActivateDialog = lazyPart(async () => (await import('./activate-dialog.tsx')).ActivateDialog)

const none: readonly Repo[] = []

/**
 * Shown if several repositories are inactive, so that a new user with fifty repositories does not
 * have to visit fifty pages.
 */
export function ActivateSeveral() {
  const me = useMe()
  const { data: repos = none } = useQuery(reposQuery())
  const [open, setOpen] = useState(false)
  const waiting = useMemo(() => repos.filter((repo) => !repo.active && canAdminister(me, repo)), [repos, me])
  // An open dialog stays, to show the result of the last repositories.
  if (waiting.length < 2 && !open) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        {/* On a phone the header must stay one row when this button appears with the list. */}
        <span>
          Activate<span className="max-sm:sr-only"> repositories…</span>
        </span>
      </Button>
      {open && (
        <Suspense>
          <ActivateDialog repos={waiting} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
