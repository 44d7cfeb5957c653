/** The repositories in the URL of the wall. Pure. */
import { paths } from '../../lib/paths.ts'

/** A comma separates the list, and a percent sign escapes it in a name. */
const escaped = (slug: string): string => slug.replaceAll('%', '%25').replaceAll(',', '%2C')
const unescaped = (slug: string): string => slug.replaceAll('%2C', ',').replaceAll('%25', '%')

/**
 * Marks the URL of a screen that was opened by a link, after the link itself was removed from it.
 */
export const linkParam = 'link'

/** The value of a link in the URL's fragment. */
export const tokenOfHash = (hash: string): string | undefined => /^#(fdw_\w+)$/.exec(hash)?.[1]

/** More would not be readable, and a link to the wall has the same limit. */
export const maxRepos = 100

/** The slugs of `?repos=a/b,c/d`; `undefined` without a selection. */
export const readRepos = (text: string | null): string[] | undefined => {
  const slugs = (text ?? '').split(',').map((slug) => unescaped(slug.trim()))
  const chosen = [...new Set(slugs.filter((slug) => slug !== ''))].slice(0, maxRepos)
  return chosen.length === 0 ? undefined : chosen
}

/** Slashes and commas stay readable. */
const printed = (text: string): string => encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%2C', ',')

export const reposAddress = (slugs: readonly string[]): string =>
  slugs.length === 0 ? paths.wall : `${paths.wall}?repos=${printed(slugs.map(escaped).join(','))}`
