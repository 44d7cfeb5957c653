import { Suspense } from 'react'

import { PersonWall } from '../features/wall/index.ts'
import { lazyPart } from '../browser/lazy-part.tsx'
import { useStore } from '../browser/store.ts'
import { SignedIn } from './guards.tsx'

/** The state of the connection comes with the code of live updates, which the first page fetches in any case. */
const LiveWall = lazyPart(async () => {
  const { connection } = await import('./deferred-shell.tsx')
  return function LiveWall() {
    return <PersonWall lost={useStore(connection) === 'lost'} />
  }
})

/** The wall, live for a signed-in person. */
export function WallPage() {
  return (
    <SignedIn>
      <Suspense>
        <LiveWall />
      </Suspense>
    </SignedIn>
  )
}
