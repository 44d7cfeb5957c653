import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import './styles/index.css'
import { watchFailedReads } from './api/heal.ts'
import { watchRepos } from './api/kept-repos.ts'
import { beginAsKept } from './api/kept-user.ts'
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

// Nearly everything depends on the signed-in person, so it is asked before anything is drawn.
const isKnown = beginAsKept()
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
 * The frame of the page stands already, with its skeleton (index.html). It gives way to the page itself: the code of the page
 * is on its way together with this, and what it reads first may be, too. So long they are waited for, in milliseconds.
 */
const patience = { code: 2000, data: 120 }
const atMost = (time: number) => new Promise((resolve) => setTimeout(resolve, time))
const code = Promise.race([loadPage(location.pathname), atMost(patience.code)])
void Promise.all([code, isKnown || Promise.race([user, atMost(patience.data)])]).then(draw)
