import { useMutation } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'

import { client } from '../../api/client.ts'
import { userQuery } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'

/**
 * Starts a sync (specification §4). The user is polled while `syncing` (api/queries.ts), and the list is read again when
 * it ends (app/sync.ts), also for who opens the page while one is under way.
 */
export function SyncButton() {
  const syncing = useMe()?.syncing === true
  const sync = useMutation({
    mutationFn: client.syncRepos,
    onSuccess: () => queryClient.setQueryData(userQuery().queryKey, (user) => user && { ...user, syncing: true }),
    onError: () => toast.error('Sync error has occured, please, try again'),
  })
  const busy = syncing || sync.isPending
  return (
    <Button busy={busy} onClick={() => sync.mutate()}>
      {!busy && <RefreshCw className="size-4" aria-hidden="true" />}
      {busy ? 'Syncing' : 'Sync'}
    </Button>
  )
}
