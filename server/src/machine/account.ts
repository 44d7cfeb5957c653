import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The account that steps run as, if it differs from the server's. */
export interface Account {
  name: string
  uid: number
  gid: number
  /** Only one stage runs as this account. */
  exclusive?: true
}

const passwordFile = '/etc/passwd'

/**
 * The account for steps (option `--run-as`). As root: the named account, `nobody` by default, and
 * root only if it is named. Without root steps run as the server's own user, returned as
 * `undefined`.
 */
export async function resolveAccount(
  runAs: string | undefined,
  uid = process.getuid?.(),
): Promise<Account | undefined> {
  if (uid === undefined) return undefined
  const accounts = await readAccounts()
  if (uid !== 0) {
    const current = accounts.find((account) => account.uid === uid)
    if (runAs && runAs !== current?.name) {
      throw new Error(`cannot run steps as "${runAs}": only a server that was started as root can change the account`)
    }
    return undefined
  }
  const account = accounts.find(({ name }) => name === (runAs || 'nobody'))
  if (!account) throw new Error(`there is no account "${runAs || 'nobody'}" to run steps as; set one with --run-as`)
  return account.uid === 0 ? undefined : account
}

async function readAccounts(): Promise<Account[]> {
  const text = await readFile(passwordFile, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

/** Whether an account can enter a folder and all parents of it. */
export async function canEnter(folder: string, { uid, gid }: Account): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    const found = await stat(path).catch(() => null)
    if (!found) return false
    const bit = found.uid === uid ? 0o100 : found.gid === gid ? 0o010 : 0o001
    if ((found.mode & bit) === 0) return false
    if (path === dirname(path)) return true
  }
}

/** The name of the account with this id, for messages. */
export async function accountName(uid: number): Promise<string> {
  const account = (await readAccounts()).find((candidate) => candidate.uid === uid)
  return account ? account.name : `user ${uid}`
}
