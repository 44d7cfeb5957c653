import { createContext, use, useEffect } from 'react'

export interface NavigateOptions {
  /** Takes the place of the present entry of the history. */
  replace?: boolean
  /** Only the address changes, what is open above the page (the search) stays open. */
  keepOpen?: boolean
}

/** How the design system moves between pages without knowing a router; the application provides it. */
export interface Navigation {
  /** Goes to an address of this application (path, search and hash as one text, already escaped). */
  navigate: (href: string, options?: NavigateOptions) => void
  /** Fetches the code of the page behind an address, because somebody is about to go there. */
  preload: (href: string) => void
}

export interface Address {
  pathname: string
  /** With its `?`, or empty. */
  search: string
  /** With its `#`, or empty. */
  hash: string
  /** The address of the page that is shown: while the next one is on its way, still the one before. */
  settled: string
}

export const NavigationContext = createContext<Navigation>({
  navigate: (href, options) => (options?.replace ? location.replace(href) : location.assign(href)),
  preload: () => undefined,
})
export const AddressContext = createContext<Address>({ pathname: '/', search: '', hash: '', settled: '/' })

export const useNavigation = (): Navigation => use(NavigationContext)
export const useAddress = (): Address => use(AddressContext)

/** The parameters behind the `?`, as plain texts: `?branch=1.10` stays `1.10`. */
export const useSearchParams = (): URLSearchParams => new URLSearchParams(useAddress().search)

/** Leads somewhere else as soon as it is shown, in place of the present entry of the history. */
export function Redirect({ to }: { to: string }) {
  const { navigate } = useNavigation()
  useEffect(() => navigate(to, { replace: true }), [navigate, to])
  return null
}
