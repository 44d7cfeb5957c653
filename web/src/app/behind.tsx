import { ToastHost } from '../ui/toast-host.tsx'
import { ConnectionBar } from './connection-bar.tsx'

export { LiveUpdates } from './live/index.ts'

/** What belongs to every page and is not seen until something happens: fetched right behind the first page, not before it. */
export function Behind() {
  return (
    <>
      <ConnectionBar />
      <ToastHost />
    </>
  )
}
