/** Names that mean "this machine", or no machine at all: another one cannot follow them. */
const isLocal = ({ hostname }: URL): boolean => /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(hostname)

/**
 * The link as the invited person can follow it: the server's own address, or the one of this page where the server only
 * knows itself by a local name (no `--public-url`).
 */
export const invitationLink = (url: string, page: string): string => {
  const link = new URL(url)
  return isLocal(link) ? `${page}${link.pathname}${link.hash}` : link.href
}
