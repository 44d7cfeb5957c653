import type { Capability } from '@flightdeck/api'
import { guest, personOf } from '../api/person.ts'
import { errorText, clearQueries, isStatus } from '../api/query-client.ts'
import { polledUserQuery, queryOf } from '../api/queries.ts'
import { forgetAddress, rememberAddress, returnAddressOf } from '../api/return-address.ts'
import { useCapability } from '../api/capabilities.ts'
import { mayVisit, useMe } from '../api/session.ts'
import { NotFound } from './not-found.ts'
import { paths } from '../lib/paths.ts'
import { lazyPart } from '../browser/lazy-part.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Redirect, useAddress, useNavigation } from '../browser/navigation.tsx'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState, type ReactNode } from 'react'

import { PageSkeleton } from './page-skeleton.tsx'

/**
 * Loaded in parallel with the first requests; events until then are covered when the stream
 * connects.
 */
const LiveUpdates = lazyPart(async () => (await import('./deferred-shell.tsx')).LiveUpdates)

function ToWelcome() {
  const { navigate } = useNavigation()
  const { pathname, search, hash } = useAddress()
  const href = `${pathname}${search}${hash}`
  useEffect(() => {
    if (pathname === paths.welcome) return
    clearQueries()
    rememberAddress(href)
    navigate(paths.welcome, { replace: true })
  }, [navigate, pathname, href])
  return null
}

type Visited = Readonly<Record<string, string | undefined>>

/** A public repository for a guest; a private one looks as if it doesn't exist. */
function Visitor({ visited: { namespace = '', name = '' }, children }: { visited: Visited; children: ReactNode }) {
  const { data, error } = useQuery(queryOf('getRepo', namespace, name))
  if (isStatus(error, 401, 404)) return <ToWelcome />
  return data || error ? children : <PageSkeleton />
}

/**
 * Specification §2: signed-out users are redirected to /welcome. Only the user request decides
 * that. `visited`: the page's repository, which may be public.
 */
export function SignedIn({ visited, children }: { visited?: Visited; children: ReactNode }) {
  const { data, error, refetch, isFetching } = useQuery(polledUserQuery())
  const [since] = useState(() => {
    LiveUpdates.prepare()
    return Date.now()
  })
  const signedOut = isStatus(error, 401)
  const isVisit = signedOut && visited !== undefined && mayVisit()
  const person = isVisit ? guest : data && !signedOut ? personOf(data) : undefined
  if (person !== undefined) {
    return (
      <>
        <ErrorBoundary region="Live updates">
          <Suspense>
            <LiveUpdates person={person} since={since} />
          </Suspense>
        </ErrorBoundary>
        {isVisit ? <Visitor visited={visited}>{children}</Visitor> : children}
      </>
    )
  }
  if (signedOut) return <ToWelcome />
  if (error) {
    return (
      <ErrorState
        message={`Could not check your session: ${errorText(error)}`}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  return <PageSkeleton />
}

/** Specification §2: "Signed-in non-admins on an admin route see the not-found page." */
export function AdminsOnly({ children }: { children: ReactNode }) {
  return useMe()?.admin ? children : <NotFound />
}

/** Shows the not-found page if the server lacks the capability. */
export const needs = (capability: Capability) =>
  function Needs({ children }: { children: ReactNode }) {
    return useCapability(capability) ? children : <NotFound />
  }

/** After a sign-in the server redirects to `/`; from there the previous URL is opened, once. */
export function ReturnAfterSignIn({ children }: { children: ReactNode }) {
  const me = useMe()
  const [href] = useState(() => returnAddressOf(me && personOf(me)))
  useEffect(forgetAddress, [])
  return href === undefined ? children : <Redirect to={href} />
}
