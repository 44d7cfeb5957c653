import { isStatus, errorText } from '../api/query-client.ts'
import { polledUserQuery } from '../api/queries.ts'
import { useMe } from '../api/session.ts'
import { NotFound } from '../features/notfound/index.ts'
import { paths } from '../lib/paths.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Redirect, useAddress, useNavigation } from '../ui/navigation.tsx'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'

import { live } from './live.ts'
import { PageSkeleton } from './page-skeleton.tsx'
import { rememberAddress, takeAddress } from './return-address.ts'

function ToWelcome() {
  const { navigate } = useNavigation()
  const { pathname, search, hash } = useAddress()
  const href = `${pathname}${search}${hash}`
  useEffect(() => {
    if (pathname === paths.welcome) return
    rememberAddress(href)
    navigate(paths.welcome, { replace: true })
  }, [navigate, pathname, href])
  return null
}

/** Specification §2: signed-out users are led to /welcome. Only the user call itself decides that. */
export function SignedIn({ children }: { children: ReactNode }) {
  const { data, error, refetch, isFetching } = useQuery(polledUserQuery())
  const known = data !== undefined
  const signedOut = isStatus(error, 401)
  // Together with the first reads, not after them: what happens in between would be missed.
  useEffect(() => {
    if (signedOut) return undefined
    live.start()
    return live.stop
  }, [signedOut])

  if (signedOut) return <ToWelcome />
  if (known) return children
  if (error) {
    return (
      <ErrorState
        message={`Could not find out who is signed in: ${errorText(error)}`}
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

/** The server leads to `/` after a sign-in; who wanted to go elsewhere goes on. */
export function ReturnAfterSignIn({ children }: { children: ReactNode }) {
  const [href] = useState(takeAddress)
  return href === undefined ? children : <Redirect to={href} />
}
