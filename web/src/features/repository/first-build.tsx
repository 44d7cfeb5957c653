import type { Repo } from '@flightdeck/api'
import { useCallback, useState } from 'react'

import { useAction } from '../../api/action.ts'
import { startBuild } from '../../api/actions/builds.ts'
import { isStatus } from '../../api/query-client.ts'
import { canWrite, useMe } from '../../api/session.ts'
import { useNavigation } from '../../browser/navigation.tsx'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { discardActivated, isJustActivated } from './just-activated.ts'

/**
 * Starts the first build from an empty list with one click. After an activation it has the focus.
 */
function FirstBuildButton({ repo }: { repo: Repo }) {
  const { navigate } = useNavigation()
  const { run, pending, busy, refusal } = useAction(startBuild(repo), ({ number }) =>
    navigate(paths.build(repo.namespace, repo.name, number), { via: 'follow' }),
  )
  const [activated] = useState(() => isJustActivated(repo.slug))
  const focus = useCallback(
    (button: HTMLButtonElement | null) => {
      if (!activated || !button) return
      // Only now: a render that is discarded must not reset it.
      discardActivated()
      button.focus()
    },
    [activated],
  )
  const branch = repo.default_branch || 'the default branch'
  return (
    <div className="flex flex-col items-center gap-3">
      <Button ref={focus} data-focused-first variant="primary" busy={pending} disabled={busy} onClick={() => run({})}>
        Run the first build of {branch}
      </Button>
      {/* The server only says "Not Found" (docs/api §2.4). */}
      {isStatus(refusal?.error, 404) && (
        <p role="alert" className="text-danger">
          {branch} has no commits yet. Push one and it will be built automatically.
        </p>
      )}
    </div>
  )
}

/** Specification §2 "Repository page: Builds tab", and the next action. */
export function NoBuilds({ repo }: { repo: Repo }) {
  const writes = canWrite(useMe(), repo)
  return (
    <EmptyState
      title="Your Build List is Empty."
      message={
        writes ? 'Push a commit or start a build manually.' : 'The first build starts when someone pushes a commit.'
      }
      action={writes && <FirstBuildButton repo={repo} />}
    />
  )
}
