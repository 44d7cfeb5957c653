import { ToastHost } from '../ui/toast-host.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { Shortcuts, type ShortcutsProps } from './shortcuts.tsx'

/** What belongs to every page and is not seen until something happens: fetched right behind the first page, not before it. */
export function Behind({ shortcuts }: { shortcuts: ShortcutsProps }) {
  return (
    <>
      <ConnectionBar />
      <ToastHost />
      <Shortcuts {...shortcuts} />
    </>
  )
}
