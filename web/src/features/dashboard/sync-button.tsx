import { RefreshCw } from 'lucide-react'

import { useAction } from '../../api/action.ts'
import { syncRepos } from '../../api/actions/sync.ts'
import { useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'

/**
 * Starts a sync (specification §4). While `syncing`, the user is polled (api/queries.ts); the list
 * is refetched when the sync ends (app/sync.ts), even if it started before the page was opened.
 */
export function SyncButton() {
  const me = useMe()
  const syncing = me?.syncing === true
  const { run, pending } = useAction(syncRepos)
  const busy = syncing || pending
  // A read-only token cannot start a sync.
  if (me?.shared_token === 'reads') return null
  return (
    // As wide as its longer label, so that it does not move when the label changes.
    <Button className="min-w-28" busy={busy} onClick={() => run()}>
      {!busy && <RefreshCw className="size-4" aria-hidden="true" />}
      {busy ? 'Syncing' : 'Sync'}
    </Button>
  )
}
