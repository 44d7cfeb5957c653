import { anyRuns } from '../api/known-builds.ts'
import { queryClient } from '../api/query-client.ts'
import { address } from './address.ts'
import { matchOf, partsOf } from './match.ts'

/**
 * Updates the page's icon, which is outside of React: "The running image while any known build of
 * the viewed repository runs" (readings, "Getting in").
 */
export const watchFavicon = (): void => {
  let shown = false
  const update = (): void => {
    const { namespace, name } = matchOf(partsOf(address.entry().href).pathname)?.params ?? {}
    const runs = !!namespace && !!name && anyRuns({ namespace, name })
    if (runs === shown) return
    shown = runs
    document.getElementById('favicon')?.setAttribute('href', runs ? '/favicon-running.svg' : '/favicon.svg')
  }
  address.subscribe(update)
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') update()
  })
}
