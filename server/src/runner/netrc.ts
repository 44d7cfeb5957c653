import { chown, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Netrc } from '../interfaces/origin.ts'
import type { Account } from '../machine/account.ts'
import type { MaskedSecret } from '../pipeline/mask.ts'
import { errorMessage } from '../lib/error-message.ts'

/**
 * Writes the credentials of a build into the home of its steps, as Drone's exec runner does. They go with the home when the stage
 * ends. A step may have put a link in the place of the file: that is replaced, never followed. `folder` is the server's own.
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

/** Seconds between two questions for a credential; a forge is asked each time. */
const minAskSeconds = 10

interface KeeperOptions {
  given: Netrc | null
  ask: () => Promise<Netrc | null>
  write: (netrc: Netrc) => Promise<void>
  /** Unix seconds. */
  now: () => number
  log: (message: string) => void
}

/**
 * Keeps the file good for steps that start late: a build may outlive its token. `renew` answers the new credential where there is
 * one; a failure leaves the old one.
 */
export function createNetrcRefresher({ given, ask, write, now, log }: KeeperOptions) {
  let current = given
  let asked = now()
  return {
    async renew(): Promise<Netrc | null> {
      // A build without a credential never gets one: its repository is open, or its commits are a stranger's.
      if (!current || now() - asked < minAskSeconds) return null
      asked = now()
      try {
        const found = await ask()
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

/** What git sends beside a token that is the login (docs/api §7.1): no secret, and hiding it would say that there is a token. */
const emptyPassword = 'x-oauth-basic'

/** The credential must not show in a log, although it is of little use to readers of a later day. */
export const hiddenWords = (netrc: Netrc | null): MaskedSecret[] => {
  if (!netrc) return []
  const data = netrc.password === emptyPassword ? netrc.login : netrc.password
  return data === '' ? [] : [{ name: 'netrc_password', data }]
}
