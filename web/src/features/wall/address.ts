/** Which repositories the address of the wall chooses. Pure. */
import { paths } from '../../lib/paths.ts'

/** A comma divides the list, and a percent sign escapes it in a name. */
const escaped = (slug: string): string => slug.replaceAll('%', '%25').replaceAll(',', '%2C')
const unescaped = (slug: string): string => slug.replaceAll('%2C', ',').replaceAll('%25', '%')

/** In the address of a screen that was opened by a link, once the link itself is gone from it. */
export const linkParam = 'link'

/** The value of a link in the fragment of an address. */
export const tokenOfHash = (hash: string): string | undefined => /^#(fdw_\w+)$/.exec(hash)?.[1]

/** More would not be legible, and a link to the wall holds no more. */
export const maxRepos = 100

/** The slugs of `?repos=a/b,c/d`; `undefined` without a choice. */
export const readRepos = (text: string | null): string[] | undefined => {
  const slugs = (text ?? '').split(',').map((slug) => unescaped(slug.trim()))
  const chosen = [...new Set(slugs.filter((slug) => slug !== ''))].slice(0, maxRepos)
  return chosen.length === 0 ? undefined : chosen
}

/** Slashes and commas stay legible. */
const printed = (text: string): string => encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%2C', ',')

export const reposAddress = (slugs: readonly string[]): string =>
  slugs.length === 0 ? paths.wall : `${paths.wall}?repos=${printed(slugs.map(escaped).join(','))}`
