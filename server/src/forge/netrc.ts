import { ForgeError, type ForgeKind, type ForgeToken, type Netrc } from './driver.ts'

/**
 * What git signs in with at a forge, as Drone writes it (docs/api §7.1): the token as login on
 * GitHub, Gitea and Gogs, as the password of `oauth2` on GitLab. `url` is the forge's address; a
 * token with spaces or line ends would end its entry in the file and is refused.
 */
export function netrcOf(kind: ForgeKind, url: string, token: ForgeToken): Netrc {
  if (!/^[\x21-\x7e]+$/.test(token.access)) throw new ForgeError('invalid', 'The token cannot be written into a netrc.')
  const machine = new URL(url).hostname
  if (kind === 'gitlab') return { machine, login: 'oauth2', password: token.access }
  return { machine, login: token.access, password: 'x-oauth-basic' }
}
