/** Connects the configured forge, and checks that the data folder belongs to it. */
import type { Repo, User } from '@flightdeck/api'
import { StartError } from '../lib/start-error.ts'
import type { ForgeContext } from '../forge/context.ts'
import { createDriver } from '../forge/drivers/index.ts'
import { connectForge, type ConnectedForge } from '../forge/forge.ts'
import { createTokens } from '../forge/tokens.ts'
import type { GitReader } from '../interfaces/git.ts'
import type { Mirrors } from '../interfaces/mirrors.ts'
import type { ForgeOptions } from '../options/forge.ts'
import type { SecretsBox } from '../lib/secrets-box.ts'
import type { Db } from '../store/open.ts'
import { findSetting, saveSetting } from '../store/settings.ts'

export interface ForgeParts {
  db: Db
  box: SecretsBox
  publicUrl: string
  git: GitReader
  mirrors: Mirrors
  now: () => number
  log: (message: string) => void
  activate: (repo: Repo, by: User) => Promise<Repo>
  deactivate: (repo: Repo) => Promise<Repo>
}

export interface Connecting {
  /** Call it once the CI exists. */
  connect(ci: ForgeContext['ci']): ConnectedForge
  stop(): void
}

/**
 * At another forge the same ids belong to other users and repositories, who would get the accounts
 * and trust.
 */
async function checkSameForge(db: Db, { settings, moved }: ForgeOptions): Promise<void> {
  const name = `${settings.kind === 'forgejo' ? 'gitea' : settings.kind} ${settings.url}`
  const stored = await findSetting(db, 'forge')
  if (stored !== null && stored !== name && !moved) {
    const [, url = ''] = stored.split(' ')
    throw new StartError(
      `This data folder belongs to the Git host at ${url}, not to ${settings.url}: use another folder with --data, or add --forge-moved if it is the same Git host at a new address`,
    )
  }
  await saveSetting(db, 'forge', name)
}

export async function prepareForge(options: ForgeOptions, parts: ForgeParts): Promise<Connecting> {
  await checkSameForge(parts.db, options)
  const stopping = new AbortController()
  const driver = await createDriver(options.settings)
  const tokens = createTokens({ db: parts.db, box: parts.box, driver })
  const { access, organizations, admins } = options
  return {
    connect: (ci) =>
      connectForge(
        {
          ...parts,
          driver,
          tokens,
          ci,
          hookUrl: `${options.hookUrl ?? parts.publicUrl}/hook`,
          statusName: options.statusName,
          statusSkipped: options.statusSkipped,
          stopped: stopping.signal,
        },
        { access, organizations, admins },
      ),
    stop: () => stopping.abort(),
  }
}
