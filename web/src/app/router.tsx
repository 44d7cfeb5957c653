import { createRouter } from '@tanstack/react-router'

import { forgetFailures } from '../api/query-client.ts'
import { parseSearch, printSearch } from './search-params.ts'
import { routeTree } from './routes.tsx'

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch: printSearch,
  scrollRestoration: true,
  // A page shows its own skeletons; the router never swaps one in.
  defaultPendingMs: Infinity,
})

router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  // A page that leads on as soon as it is drawn has not yet said that it reads: it would ask again for what has failed.
  if (pathChanged) queueMicrotask(forgetFailures)
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
