import { useQuery } from '@tanstack/react-query'

import { ownClient } from '../../api/own-client.ts'
import { connectedForge } from '../../api/forge.ts'
import { keyOf } from '../../api/keys.ts'
import { useMe } from '../../api/session.ts'
import { formatNumber } from '../../lib/text.ts'
import { RefusedFolders, RefusedList } from './refused-folders.tsx'

/** `Synchronizing… 3,200 of 10,000`, without numbers before the forge's first response. */
const progressText = (done: number | undefined, total: number | undefined): string => {
  if (done === undefined) return 'Synchronizing…'
  const count =
    total !== undefined && total >= done ? `${formatNumber(done)} of ${formatNumber(total)}` : formatNumber(done)
  return `Synchronizing… ${count} repositories`
}

const pollMs = 1_000

function Note({ title, syncing, synced }: { title: string; syncing: boolean; synced: number }) {
  const { data } = useQuery({
    // Fetched again when a sync starts and ends.
    queryKey: [...keyOf('getSyncProgress'), syncing, synced],
    queryFn: () => ownClient.getSyncProgress(),
    refetchInterval: syncing ? pollMs : false,
  })
  if (syncing) {
    return (
      <p role="status" className="text-sm text-muted tabular-nums">
        {progressText(data?.done, data?.total)}
      </p>
    )
  }
  if (!data) return null
  return (
    <>
      {data.error && (
        <p role="alert" className="text-sm text-danger">
          The last sync with {title} failed: {data.error}
        </p>
      )}
      <RefusedList noun="repository" nouns="repositories" refused={data.refused} count={data.refused_count} />
    </>
  )
}

/** The progress of the sync with the forge, and what syncs excluded. */
export function SyncNotes() {
  const me = useMe()
  const forge = connectedForge()
  return (
    <>
      {me && forge && <Note title={forge.title} syncing={me.syncing} synced={me.synced} />}
      <RefusedFolders />
    </>
  )
}
