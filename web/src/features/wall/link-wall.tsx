import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { ownClient, ownQueryOf } from '../../api/own-client.ts'
import { failedRead, isStatus, queryClient } from '../../api/query-client.ts'
import { Redirect } from '../../browser/navigation.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { linkParam } from './address.ts'
import { followWall } from './link-stream.ts'
import { WallLoading } from './wall-loading.tsx'
import { WallView } from './wall-view.tsx'

const wallQuery = ownQueryOf('getWall')

/** Keeps the tiles up to date; returns whether they can be outdated. */
const useFollowed = (): boolean => {
  const [lost, setLost] = useState(false)
  useEffect(() => {
    const over = new AbortController()
    const onChange = () => void queryClient.invalidateQueries({ queryKey: wallQuery.queryKey })
    void followWall(over.signal, { onChange, onLost: setLost })
    return () => over.abort()
  }, [])
  return lost
}

function Ended() {
  return (
    <div className="flex min-h-page items-center justify-center p-6">
      <EmptyState
        title="This link no longer works"
        message="It was revoked, it expired, or the person who created it lost access to these repositories. Ask for a new one."
      />
    </div>
  )
}

function Followed({ name, tiles }: Pick<Parameters<typeof WallView>[0], 'tiles'> & { name: string }) {
  useTitle(name)
  return <WallView title={name} tiles={tiles} lost={useFollowed()} />
}

function OpenWall() {
  const query = useQuery(wallQuery)
  const { data, error } = query
  if (isStatus(error, 410)) return <Ended />
  if (data) return <Followed {...data} />
  if (error) return <ErrorState {...failedRead('The wall', query)} />
  return (
    <WallView title="Wall" tiles={[]} lost={false}>
      <WallLoading />
    </WallView>
  )
}

/**
 * Exchanges the link once for a cookie that only reads the wall, and removes the link from the URL.
 */
function Opening({ token }: { token: string }) {
  const query = useQuery({
    queryKey: ['wall session'],
    queryFn: async () => {
      await ownClient.openWall({ token })
      return true
    },
    gcTime: 0,
  })
  const { data, error } = query
  if (data) return <Redirect to={`${paths.wall}?${linkParam}`} from={paths.wall} />
  if (isStatus(error, 410)) return <Ended />
  if (error) return <ErrorState {...failedRead('The wall', query)} />
  return (
    <WallView title="Wall" tiles={[]} lost={false}>
      <WallLoading />
    </WallView>
  )
}

/** The wall of a screen without an account. `token`: from the URL, until it has been exchanged. */
export function LinkWall({ token }: { token: string | undefined }) {
  useTitle('Wall')
  return token === undefined ? <OpenWall /> : <Opening key={token} token={token} />
}
