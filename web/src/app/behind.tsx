import { ToastHost } from '../ui/toast-host.tsx'
import { ConnectionBar } from './connection-bar.tsx'

export { LiveUpdates } from './live/index.ts'

/** Until then nobody needs it, and the page has more urgent pieces to fetch. Where it does not come, the next page has it. */
setTimeout(() => void import('./update/watch-for-update.ts').catch(() => 0), 15e3)

/** What belongs to every page and is not seen until something happens: fetched right behind the first page, not before it. */
export function Behind() {
  return (
    <>
      <ConnectionBar />
      <ToastHost />
    </>
  )
}
