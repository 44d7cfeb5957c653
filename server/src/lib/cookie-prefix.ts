/** Names of cookies that no neighbour can set (RFC 6265bis §4.1.3.2). */

/** A browser takes a cookie of this name only over https, from this very host, and for all of its paths. */
export type CookiePrefix = '' | '__Host-'

/** A neighbour's page, or somebody on the network, can set a cookie for our host without it. */
export const cookiePrefixOf = (publicUrl: string): CookiePrefix => (publicUrl.startsWith('https:') ? '__Host-' : '')
