import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { resolveAccount, type Account } from './account.ts'
import { ownKeyring } from './kernel-objects.ts'
import { folderMark } from './process-mark.ts'
import { findReadAs, type ReadAs } from './read-as.ts'
import { UnusableExposure } from './sandbox/exposed.ts'
import { createSandbox, standardPath, trySandbox, type Sandbox } from './sandbox/sandbox.ts'
import { findRange, hasId, oneAccount, stageAccounts, type StageAccounts } from './stage-accounts.ts'
import { errorMessage } from '../lib/error-message.ts'

/** How steps are isolated from the system and from each other. */
export type Isolation = 'sandbox' | 'accounts' | 'none'
export const isolations: readonly Isolation[] = ['sandbox', 'accounts', 'none']

export interface Protection {
  isolation: Isolation
  accounts: StageAccounts
  sandbox?: Sandbox
  /**
   * The prefix for a step's command that runs as its account: it cannot gain privileges and ends
   * with the server.
   */
  prefix?: readonly string[]
  /**
   * The prefix for a command, as its account or the server's, that gives it its own session
   * keyring. Empty if that is impossible.
   */
  keyring: readonly string[]
  /** The prefix for the clone step if nothing else switches to the stage's account. */
  readAs?: ReadAs | undefined
  /** A description for the operator. */
  description: string
}

export interface ProtectionOptions {
  dataDir: string
  /** `undefined`: the best mode that works here. */
  isolation?: Isolation | undefined
  runAs?: string | undefined
  /** Private paths besides the data folder: repositories, password files. */
  hidden?: readonly string[]
  exposed?: readonly string[]
  /** Folders with the system's programs. */
  programs?: readonly string[]
}

/** The requested isolation is not available on this machine, or conflicts with other options. */
export class ImpossibleProtection extends Error {
  override readonly name = 'ImpossibleProtection'
}

/** Detects what this machine allows by trying it. */
export async function findProtection(options: ProtectionOptions): Promise<Protection> {
  const keyring = await ownKeyring()
  const found = await findIsolation(options, keyring)
  const account = found.accounts.claim()
  const programs = options.programs ?? standardPath.split(delimiter)
  try {
    const readAs = found.sandbox || !account ? undefined : await findReadAs(options.dataDir, account, programs)
    // The text says so, too: the stage's account cannot read the repository that it clones.
    const isServerCloning = account !== undefined && !found.sandbox && !readAs
    return {
      ...found,
      keyring,
      readAs,
      description: isServerCloning ? `${found.description}; ${serverClones}` : found.description,
    }
  } finally {
    found.accounts.release(account)
  }
}

const serverClones = 'clone steps run as root, because setpriv of util-linux is missing: install util-linux'

async function findIsolation(
  options: ProtectionOptions,
  keyring: readonly string[],
): Promise<Omit<Protection, 'keyring' | 'readAs'>> {
  const { dataDir, isolation, runAs } = options
  const isRoot = process.geteuid?.() === 0
  const named = runAs || !isRoot ? await resolveAccount(runAs) : undefined
  if (isRoot && named && !(await hasId(named.uid)))
    throw new ImpossibleProtection(`steps cannot run as ${named.name}: this user namespace has no user ${named.uid}`)
  if (isRoot && runAs && !named) return unprotected('steps run as root, as --run-as says', oneAccount(undefined))
  const first = isRoot && !named ? await findRange(await folderMark(dataDir)) : null
  const accounts = first === null ? oneAccount(named) : stageAccounts(first)
  const separate = first !== null

  let reason = ''
  if (isolation === undefined || isolation === 'sandbox') {
    const problem = await inSandbox(options, accounts, keyring)
    if ('sandbox' in problem) {
      const { sandbox, closedSockets } = problem
      const description = [sandboxed(named), ...closedSockets.map(closedSocket)].join('; ')
      return { isolation: 'sandbox', accounts, sandbox, description }
    }
    reason = problem.reason
    // Falls back to weaker isolation only if the machine itself refuses.
    if (await canSandbox(accounts)) {
      if (problem.isFileError) throw new Error(`the sandbox of steps cannot be prepared in ${dataDir}: ${reason}`)
      throw new ImpossibleProtection(
        `this machine can sandbox steps, but not with these options: ${reason}; change them, or choose a weaker protection with --isolation`,
      )
    }
    if (isolation) throw new ImpossibleProtection(`steps cannot be sandboxed on this machine: ${reason}`)
  }
  if (isolation !== 'none' && separate) {
    const prefix = await withoutRights()
    return {
      isolation: 'accounts',
      accounts,
      prefix,
      description: `separate accounts, one for each stage${because(reason)}`,
    }
  }
  if (isolation === 'accounts') {
    throw new ImpossibleProtection('separate accounts need a server that was started as root, without --run-as')
  }
  if (isolation === 'none') reason = 'as --isolation says'
  // As root without a range of ids, the default account remains.
  return unprotected(reason, isRoot && !separate ? oneAccount(named ?? (await defaultAccount())) : accounts)
}

/** `undefined`, the server's own account, where no other exists. */
async function defaultAccount(): Promise<Account | undefined> {
  const account = await resolveAccount(undefined)
  return account && (await hasId(account.uid)) ? account : undefined
}

/**
 * Without util-linux the program is missing; steps can then use whatever `sudo` and similar tools
 * allow.
 */
async function withoutRights(): Promise<readonly string[]> {
  for (const folder of standardPath.split(delimiter)) {
    const prefix = [join(folder, 'setpriv'), '--no-new-privs', '--inh-caps=-all', '--pdeathsig', 'KILL']
    const works = await promisify(execFile)(prefix[0] ?? '', [...prefix.slice(1), '/bin/sh', '-c', ':']).catch(
      () => null,
    )
    if (works) return prefix
  }
  return []
}

interface SandboxProblem {
  reason: string
  /** The file system refused a call: the cause is the disk or the data folder, not an option. */
  isFileError: boolean
}

const isFileError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && !String(error.syscall).startsWith('spawn')

/**
 * The sandbox of this server, or the reason why it does not work. Throws `ImpossibleProtection` for
 * a path that cannot be exposed.
 */
async function inSandbox(
  options: ProtectionOptions,
  accounts: StageAccounts,
  keyring: readonly string[],
): Promise<{ sandbox: Sandbox; closedSockets: readonly string[] } | SandboxProblem> {
  const { dataDir, hidden = [], exposed = [] } = options
  const folder = join(dataDir, 'sandbox')
  const account = accounts.claim()
  try {
    const all = { hidden: [dataDir, ...hidden], exposed, environment: process.env, keyring }
    const sandbox = await createSandbox(folder, all)
    const { reason, closedSockets } = await trySandbox(sandbox, folder, { account, exposed })
    return reason === null ? { sandbox, closedSockets } : { reason, isFileError: false }
  } catch (error) {
    if (error instanceof UnusableExposure) throw new ImpossibleProtection(error.message)
    return { reason: errorMessage(error), isFileError: isFileError(error) }
  } finally {
    accounts.release(account)
  }
}

/**
 * Whether the kernel and its policies let this account sandbox anything: the system's folders, with
 * no option of this server.
 */
async function canSandbox(accounts: StageAccounts): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'flightdeck-sandbox-'))
  const account = accounts.claim()
  try {
    const sandbox = await createSandbox(folder, { hidden: [folder], exposed: [], environment: {}, keyring: [] })
    return (await trySandbox(sandbox, folder, { account })).reason === null
  } finally {
    accounts.release(account)
    await rm(folder, { recursive: true, force: true })
  }
}

const sandboxed = (account: Account | undefined) =>
  `sandboxed: steps can write only to their workspace; the system is read-only${account ? `, as ${account.name}` : ''}`

const closedSocket = (path: string) => `--expose ${path}: steps run as accounts that cannot write to this socket`

const because = (reason: string) => (reason === '' ? '' : ` (no sandbox: ${reason})`)

const unprotected = (reason: string, accounts: StageAccounts): Omit<Protection, 'keyring'> => ({
  isolation: 'none',
  accounts,
  description: `not protected${reason === '' ? '' : ` (${reason})`}: anyone who can push controls this server`,
})
