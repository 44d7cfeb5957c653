/** Host names that mean "this machine", or none at all, which other machines cannot open. */
const isLocal = ({ hostname }: URL): boolean => /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(hostname)

/**
 * A link that the invited person can open: the server's own URL, or with this page's origin if the
 * server only knows a local name (no `--public-url`).
 */
export const invitationLink = (url: string, page: string): string => {
  const link = new URL(url)
  return isLocal(link) ? `${page}${link.pathname}${link.hash}` : link.href
}
