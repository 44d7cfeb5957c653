import { Suspense } from 'react'

import { linkParam, LinkWall, PersonWall, tokenOfHash } from '../features/wall/index.ts'
import { lazyPart } from '../browser/lazy-part.tsx'
import { useAddress } from '../browser/navigation.tsx'
import { useStore } from '../browser/store.ts'
import { SignedIn } from './guards.tsx'

/** The connection state is part of the live updates' code, which the first page loads anyway. */
const LiveWall = lazyPart(async () => {
  const { connection } = await import('./deferred-shell.tsx')
  return function LiveWall() {
    return <PersonWall lost={useStore(connection) === 'lost'} />
  }
})

/** The wall of a link for screens without an account, or of the signed-in user. */
export function WallPage() {
  const { hash, search } = useAddress()
  const token = tokenOfHash(hash)
  if (token !== undefined || new URLSearchParams(search).has(linkParam)) return <LinkWall token={token} />
  return (
    <SignedIn>
      <Suspense>
        <LiveWall />
      </Suspense>
    </SignedIn>
  )
}
