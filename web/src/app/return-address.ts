/**
 * Where somebody wanted to go before signing in (architecture.md, "signed out"): kept when the guard sends to the sign-in
 * page, used once, when the same tab comes to the dashboard signed in (which is where the server leads after a sign-in).
 */
const addressKey = 'flightdeck.return-address'

export const rememberAddress = (href: string): void => {
  if (href === '/') sessionStorage.removeItem(addressKey)
  else sessionStorage.setItem(addressKey, href)
}

/** Only a path of this application, never another host (`//evil.example`). */
const isOurs = (href: string): boolean => /^\/(?![/\\])/.test(href)

/** Once: the address to go on to after a sign-in. */
export const takeAddress = (): string | undefined => {
  const href = sessionStorage.getItem(addressKey)
  sessionStorage.removeItem(addressKey)
  return href !== null && isOurs(href) ? href : undefined
}
