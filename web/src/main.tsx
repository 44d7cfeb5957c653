import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import './styles/index.css'
import { watchRepos } from './api/kept-repos.ts'
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

// Who is signed in decides about nearly everything, so it is asked before anything is drawn.
const user = queryClient.prefetchQuery(userQuery())
watchAddress()
watchPages()
watchSync()
watchFavicon()
watchRepos()

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

/** So long the first drawing of the dashboard waits for what is on its way already (index.html). */
const patience = 120
const soon = new Promise((resolve) => setTimeout(resolve, patience))
if (location.pathname === '/') void Promise.race([Promise.all([loadPage('/'), user]), soon]).then(draw)
else draw()
