import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import './styles/index.css'
import { watchRepos } from './api/kept-repos.ts'
import { queryClient } from './api/query-client.ts'
import { userQuery } from './api/queries.ts'
import { router } from './app/router.tsx'
import { watchSync } from './app/sync.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

// Who is signed in decides about nearly everything, so it is asked before anything is drawn.
void queryClient.prefetchQuery(userQuery())
watchSync()
watchRepos()

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
