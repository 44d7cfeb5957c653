import { Suspense, useState, type ReactNode } from 'react'

import { useMe } from '../api/session.ts'
import { ConfirmHost } from '../ui/confirm-host.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyPart } from '../browser/lazy-part.tsx'
import { useAddress } from '../browser/navigation.tsx'
import { useListeners } from '../browser/use-listeners.ts'
import { SearchDrawer } from '../features/search/search-drawer.tsx'
import { oneTimeValues } from '../features/users/one-time-values.ts'
import { useStore } from '../browser/store.ts'
import { PageFocus } from './page-focus.tsx'
import { usePageKeys } from './page-keys.ts'
import { PageSkeleton } from './page-skeleton.tsx'
import { Rail } from './rail.tsx'
import { closeSearch, useSearchDrawer } from './search-drawer-state.ts'

const Behind = lazyPart(async () => (await import('./deferred-shell.tsx')).DeferredShell)
const Shortcuts = lazyPart(async () => (await import('./shortcuts.tsx')).Shortcuts)
const OneTimeDialog = lazyPart(async () => (await import('../features/users/one-time-dialog.tsx')).OneTimeDialog)

function Page({ children }: { children: ReactNode }) {
  const { pathname, shownPathname } = useAddress()
  return (
    <main id="main" tabIndex={-1} className="min-h-page min-w-0 flex-1 outline-none">
      <ErrorBoundary region="This page" resetKey={`${pathname} ${shownPathname}`}>
        <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
      </ErrorBoundary>
    </main>
  )
}

function Drawer() {
  const drawer = useSearchDrawer()
  if (drawer === 0) return null
  return <SearchDrawer key={Math.abs(drawer)} open={drawer > 0} onClose={closeSearch} />
}

function OneTimeHost() {
  const [value] = useStore(oneTimeValues)
  // The next user to sign in gets a new document (api/person.ts).
  if (!useMe() || !value) return null
  return (
    <ErrorBoundary region={value.title}>
      <Suspense>
        <OneTimeDialog key={value.value} value={value} />
      </Suspense>
    </ErrorBoundary>
  )
}

/**
 * While the code of a dialog loads, the page's keys are disabled as below a dialog (use-keys.ts),
 * and Escape cancels it.
 */
function DialogToCome({ onClose }: { onClose: () => void }) {
  useListeners('window', { keydown: ({ key }) => key === 'Escape' && onClose() })
  return <dialog open className="contents" />
}

/**
 * The list of shortcuts. Loaded on demand, with the code for dialogs, which the dashboard doesn't
 * need.
 */
function KeysHost() {
  const [listed, setListed] = useState(false)
  const onClose = () => setListed(false)
  usePageKeys(() => setListed(true))
  if (!listed) return null
  return (
    <ErrorBoundary region="Keyboard shortcuts">
      <Suspense fallback={<DialogToCome onClose={onClose} />}>
        <Shortcuts onClose={onClose} />
      </Suspense>
    </ErrorBoundary>
  )
}

function WithEveryPage() {
  return (
    <ErrorBoundary region="Part of the page">
      <Suspense>
        <Behind />
      </Suspense>
    </ErrorBoundary>
  )
}

/** The frame of every page: rail (a bar at the bottom on phones), page, and overlays. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-surface px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-16"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        Skip to content
      </a>
      <div className="flex flex-col pb-(--bar) md:flex-row md:pl-14">
        <Rail />
        <Page>{children}</Page>
      </div>
      <Drawer />
      <PageFocus />
      <OneTimeHost />
      <ConfirmHost />
      <KeysHost />
      <WithEveryPage />
    </>
  )
}
