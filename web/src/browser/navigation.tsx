import { createContext, use, useEffect } from 'react'

import { whenIdle } from './when-idle.ts'

/**
 * How the user got to a URL: by a link or key that means "show me where it happens", or by choosing
 * exactly this place. Stored with the history entry, so that Back and reload know it; a typed or
 * shared URL has none.
 */
export type Via = 'follow' | 'press' | 'key'

export interface NavigateOptions {
  /** Replaces the current history entry. */
  replace?: boolean
  via?: Via
  /** Navigates only if this is still the path: a user who has navigated elsewhere stays there. */
  from?: string
  /** Only the URL changes; overlays such as the search stay open. */
  keepOpen?: boolean
}

/** How the design system navigates without knowing a router; the application provides it. */
export interface Navigation {
  /** Goes to a URL of this application (path, search and hash as one text, already escaped). */
  navigate: (href: string, options?: NavigateOptions) => void
  /** Prefetches the code of a URL's page, for a likely navigation. */
  preload: (href: string) => void
}

export interface Address {
  pathname: string
  /** With its `?`, or empty. */
  search: string
  /** With its `#`, or empty. */
  hash: string
  /** The path of the page that is shown: while the next one loads, still the previous one. */
  shownPathname: string
  /** How the user got to the current page. */
  via?: Via | undefined
  /** Identifies the history entry; the same after Back. */
  entry?: string
}

export const NavigationContext = createContext<Navigation>({
  navigate: (href, options) => (options?.replace ? location.replace(href) : location.assign(href)),
  preload: () => undefined,
})
export const AddressContext = createContext<Address>({ pathname: '/', search: '', hash: '', shownPathname: '/' })

export const useNavigation = (): Navigation => use(NavigationContext)
export const useAddress = (): Address => use(AddressContext)

/** The parameters after the `?`, as plain text: `?branch=1.10` stays `1.10`. */
export const useSearchParams = (): URLSearchParams => new URLSearchParams(useAddress().search)

export interface RedirectProps extends Omit<NavigateOptions, 'replace'> {
  to: string
  /** The page already shows the target, so the URL can wait until the browser is idle. */
  later?: boolean
}

/** Redirects when it mounts, replacing the current history entry. */
export function Redirect({ to, keepOpen, via, from, later }: RedirectProps) {
  const { navigate } = useNavigation()
  useEffect(() => {
    const go = () => navigate(to, { replace: true, keepOpen, via, from })
    return later ? whenIdle(go) : go()
  }, [navigate, to, keepOpen, via, from, later])
  return null
}
