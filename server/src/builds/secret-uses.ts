/**
 * Which pipelines use which secret, by the file that the newest build of the default branch ran.
 */
import type { Repo, SecretUses } from '@flightdeck/api'
import { findConfig } from '../store/builds.ts'
import { findLatest } from '../store/latest.ts'
import type { CiContext } from './context.ts'

export const findSecretUses = async (
  { db, files }: Pick<CiContext, 'db' | 'files'>,
  repo: Repo,
): Promise<SecretUses> => {
  const build = await findLatest(db, repo.id, { kind: 'branch', name: repo.default_branch })
  const text = build && (await findConfig(db, build.id))
  const uses = text ? await files.secrets(repo.id, { text }) : null
  return build && uses ? { build: build.number, uses } : { uses: [] }
}
