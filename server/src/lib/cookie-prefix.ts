/** Names of cookies that no neighbour can set (RFC 6265bis §4.1.3.2). */

/**
 * A browser takes a cookie of this name only over https, from this very host, and for all of its
 * paths.
 */
export type CookiePrefix = '' | '__Host-'

/**
 * Without the prefix a sibling domain's page, or an attacker on the network, can set a cookie for
 * our host.
 */
export const cookiePrefixOf = (publicUrl: string): CookiePrefix => (publicUrl.startsWith('https:') ? '__Host-' : '')
