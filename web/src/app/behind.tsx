import { ToastHost } from '../ui/toast-host.tsx'
import { ConnectionBar } from './connection-bar.tsx'

export { LiveUpdates } from './live/index.ts'

/** The page fetches more urgent pieces first. If the import fails, the next page load tries again. */
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
