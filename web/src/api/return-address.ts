/**
 * The URL that the user wanted before signing in (architecture.md, "signed out"): stored when the
 * guard redirects to the sign-in page, and used once, when the same tab reaches the dashboard
 * signed in (where the server redirects after a sign- in).
 */
import { writeStored, readStored } from '../browser/storage.ts'
import { ownerOfPage } from './person.ts'

const key = 'return-address'

/** Stored with the user, if one was signed in: another user is not sent to this URL. */
export const rememberAddress = (href: string): void => {
  const person = ownerOfPage() ?? ''
  writeStored('session', key, href === '/' ? undefined : `${encodeURIComponent(person)} ${href}`)
}

/**
 * Only a path of this application, never a different host (`//evil.example`); browsers ignore a tab
 * in between.
 */
const isOurs = (href: string): boolean => /^\/(?![\t\n\r]*[/\\])/.test(href)

const parts = (): { person: string; href: string } | undefined => {
  const [, person = '', href = ''] = /^(\S*) (.*)$/.exec(readStored('session', key) ?? '') ?? []
  return isOurs(href) ? { person, href } : undefined
}

export const addressToReturnTo = (): string | undefined => parts()?.href

/** The URL to open after signing in as this user. Has no side effects: React may render twice. */
export const returnAddressOf = (person: string | undefined): string | undefined => {
  const stored = parts()
  return stored && (stored.person === '' || stored.person === encodeURIComponent(person ?? ''))
    ? stored.href
    : undefined
}

/** The address was used, or belongs to another user. */
export const forgetAddress = (): void => {
  writeStored('session', key, undefined)
}
