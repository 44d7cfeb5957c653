import { flushSync } from 'react-dom'
import type { Root } from 'react-dom/client'

import { discardCachedRepos } from '../api/cached-repos.ts'
import { discardCachedUser } from '../api/cached-user.ts'
import { sessionHasEnded, watchPerson } from '../api/person.ts'
import { checkSession, queryClient } from '../api/query-client.ts'
import { paths } from '../lib/paths.ts'

/** Binds the document to one user (api/person.ts): nothing is shown after another user signs in. */
export const keepToOnePerson = (root: Root, element: HTMLElement): void => {
  watchPerson({
    onDoubt: checkSession,
    onOther: () => {
      discardCachedRepos()
      discardCachedUser()
      queryClient.clear()
      // Also ends streams and workers.
      flushSync(() => root.render(null))
      // After signing in, the dashboard continues to the previous page.
      if (sessionHasEnded()) location.replace(paths.home)
      else location.reload()
    },
  })
  // A page restored from the back/forward cache; the user may have changed meanwhile.
  addEventListener('pageshow', ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    element.hidden = true
    void checkSession().finally(() => {
      element.hidden = false
    })
  })
}
