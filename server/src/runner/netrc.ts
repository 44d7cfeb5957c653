import { chown, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Netrc } from '../interfaces/origin.ts'
import type { Account } from '../machine/account.ts'
import type { MaskedSecret } from '../pipeline/mask.ts'
import { errorMessage } from '../lib/error-message.ts'

/**
 * Writes a build's credential into the home folder of its steps, as Drone's exec runner does. The
 * file is removed with the home folder when the stage ends. A step can put a link in the place of
 * the file: the link is replaced, never followed. Only the server can write to `folder`.
 */
export async function writeNetrc(
  { folder, home }: { folder: string; home: string },
  netrc: Netrc | null,
  account: Account | undefined,
): Promise<void> {
  if (!netrc) return
  const file = join(folder, 'netrc.new')
  await writeFile(file, `machine ${netrc.machine} login ${netrc.login} password ${netrc.password}\n`, { mode: 0o600 })
  if (account) await chown(file, account.uid, account.gid)
  await rename(file, join(home, '.netrc'))
}

/**
 * Minimum interval between two fetches of the credential, since each sends a request to the forge.
 */
const minFetchSeconds = 10

interface RefresherOptions {
  given: Netrc | null
  fetchCredential: () => Promise<Netrc | null>
  write: (netrc: Netrc) => Promise<void>
  /** Unix seconds. */
  now: () => number
  log: (message: string) => void
}

/**
 * Keeps the file valid for steps that start late, because a build can run longer than its token is
 * valid. `renew` returns the new credential, if any; after a failure the old one stays.
 */
export function createNetrcRefresher({ given, fetchCredential, write, now, log }: RefresherOptions) {
  let current = given
  let fetchedAt = now()
  return {
    async renew(): Promise<Netrc | null> {
      // A build without a credential never gets one: its repository is public, or its commits come
      // from an untrusted fork.
      if (!current || now() - fetchedAt < minFetchSeconds) return null
      fetchedAt = now()
      try {
        const found = await fetchCredential()
        if (!found || (found.login === current.login && found.password === current.password)) return null
        await write(found)
        current = found
        return found
      } catch (error) {
        log(`a build keeps its old credential: ${errorMessage(error)}`)
        return null
      }
    },
  }
}

/**
 * The password that git sends if the login is the token (docs/api §7.1). It is not a secret, and
 * masking it would reveal that there is a token.
 */
const emptyPassword = 'x-oauth-basic'

/** The parts of a credential that are masked in logs. */
export const netrcSecrets = (netrc: Netrc | null): MaskedSecret[] => {
  if (!netrc) return []
  const data = netrc.password === emptyPassword ? netrc.login : netrc.password
  return data === '' ? [] : [{ name: 'netrc_password', data }]
}
