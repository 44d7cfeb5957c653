/**
 * Where somebody wanted to go before signing in (architecture.md, "signed out"). The address is kept when the guard
 * sends to the sign-in page, and used only after a sign-in was begun there: a later visit to the dashboard stays there.
 */
const addressKey = 'flightdeck.return-address'
const begunKey = 'flightdeck.sign-in-begun'

export const rememberAddress = (href: string): void => {
  sessionStorage.removeItem(begunKey)
  if (href === '/') sessionStorage.removeItem(addressKey)
  else sessionStorage.setItem(addressKey, href)
}

/** Only a path of this application, never another host (`//evil.example`). */
const isOurs = (href: string): boolean => /^\/(?![/\\])/.test(href)

/** Once: the address to go on to after a sign-in. */
export const takeAddress = (): string | undefined => {
  const begun = sessionStorage.getItem(begunKey) !== null
  const href = sessionStorage.getItem(addressKey)
  if (!begun) return undefined
  sessionStorage.removeItem(begunKey)
  sessionStorage.removeItem(addressKey)
  return href !== null && isOurs(href) ? href : undefined
}
