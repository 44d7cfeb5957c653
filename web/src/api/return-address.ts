/**
 * Where somebody wanted to go before signing in (architecture.md, "signed out"): kept when the guard sends to the sign-in
 * page, used once, when the same tab comes to the dashboard signed in (which is where the server leads after a sign-in).
 */
import { keep, readKept } from '../browser/storage.ts'
import { ownerOfPage } from './person.ts'

const key = 'return-address'

/** The person whose address it is, if somebody was signed in there: a second person is not led to the first one's places. */
export const rememberAddress = (href: string): void => {
  const person = ownerOfPage() ?? ''
  keep('session', key, href === '/' ? undefined : `${encodeURIComponent(person)} ${href}`)
}

/** Only a path of this application, never another host (`//evil.example`); browsers pass over a tab in between. */
const isOurs = (href: string): boolean => /^\/(?![\t\n\r]*[/\\])/.test(href)

const parts = (): { person: string; href: string } | undefined => {
  const [, person = '', href = ''] = /^(\S*) (.*)$/.exec(readKept('session', key) ?? '') ?? []
  return isOurs(href) ? { person, href } : undefined
}

export const addressToReturnTo = (): string | undefined => parts()?.href

/** The address to go on to after a sign-in as this person. Asking changes nothing: React may render a page twice. */
export const returnAddressOf = (person: string | undefined): string | undefined => {
  const kept = parts()
  return kept && (kept.person === '' || kept.person === encodeURIComponent(person ?? '')) ? kept.href : undefined
}

/** It was used, or is another person's. */
export const forgetAddress = (): void => {
  keep('session', key, undefined)
}
