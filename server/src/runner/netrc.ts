import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Netrc } from '../interfaces/origin.ts'
import type { Account } from '../machine/account.ts'
import type { MaskedSecret } from '../pipeline/mask.ts'

/**
 * Writes the credentials of a build into a home that no step has used yet, as Drone's exec runner does. They go with the home
 * when the stage ends; the server takes them only while the build runs.
 */
export async function writeNetrc(home: string, netrc: Netrc | null, account: Account | undefined): Promise<void> {
  if (!netrc) return
  const file = join(home, '.netrc')
  await writeFile(file, `machine ${netrc.machine} login ${netrc.login} password ${netrc.password}\n`, { mode: 0o600 })
  if (account) await chown(file, account.uid, account.gid)
}

/** What git sends beside a token that is the login (docs/api §7.1): no secret, and hiding it would say that there is a token. */
const emptyPassword = 'x-oauth-basic'

/** The credential must not show in a log, although it is of little use to readers of a later day. */
export const hiddenWords = (netrc: Netrc | null): MaskedSecret[] => {
  if (!netrc) return []
  const data = netrc.password === emptyPassword ? netrc.login : netrc.password
  return data === '' ? [] : [{ name: 'netrc_password', data }]
}
