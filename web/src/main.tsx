import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import './styles/index.css'
import { watchFailedReads } from './api/refetch-failed.ts'
import { watchRepos } from './api/cached-repos.ts'
import { startAsCachedUser } from './api/cached-user.ts'
import { isLeaving } from './api/person.ts'
import { queryClient } from './api/query-client.ts'
import { userQuery } from './api/queries.ts'
import { watchAddress } from './app/address.ts'
import { watchFavicon } from './app/favicon.ts'
import { loadPage } from './app/match.ts'
import { keepToOnePerson } from './app/one-person.ts'
import { Router, watchPages } from './app/router.tsx'
import { watchSync } from './app/sync.ts'

const element = document.getElementById('root')
if (!element) throw new Error('The page has no #root')
const root = createRoot(element)
keepToOnePerson(root, element)

// Nearly everything depends on the signed-in user, so it is fetched before the first render.
const isKnown = startAsCachedUser()
const user = queryClient.prefetchQuery(userQuery())
watchAddress()
watchPages()
watchSync()
watchFavicon()
watchRepos()
watchFailedReads()

const draw = (): void => {
  if (isLeaving()) return
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router />
      </QueryClientProvider>
    </StrictMode>,
  )
}

/**
 * index.html already shows the page frame with a skeleton. It is replaced by the page: its code is
 * loading in parallel, and its first data may be too. These are the maximum waiting times, in
 * milliseconds.
 */
const maxWaitMs = { code: 2000, data: 120 }
const atMost = (time: number) => new Promise((resolve) => setTimeout(resolve, time))
const code = Promise.race([loadPage(location.pathname), atMost(maxWaitMs.code)])
void Promise.all([code, isKnown || Promise.race([user, atMost(maxWaitMs.data)])]).then(draw)
