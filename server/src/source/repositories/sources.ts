/** Combines the folders and the forge into one source of repositories. */
import type { ForgeSource, RepositorySource } from '../../interfaces/repository-source.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Db } from '../../store/open.ts'
import { findRepoInternals } from '../../store/repos.ts'

export interface SourcesOptions {
  db: Db
  folders: RepositorySource
  /** Scans the folders again. */
  readFolders: () => Promise<void>
  /** Returns `null` while no forge is connected. */
  forge: () => ForgeSource | null
}

export function joinSources({ db, folders, readFolders, forge }: SourcesOptions): RepositorySource {
  async function of(repo: { id: number }): Promise<RepositorySource> {
    if (!(await findRepoInternals(db, repo.id))?.forge) return folders
    const connected = forge()
    if (connected) return connected
    throw new Refusal(409, 'The repository is on a Git host, but the server was started without one')
  }
  return {
    async sync(user) {
      const connected = forge()
      if (!connected || !(await connected.hasAccount(user))) return folders.sync(user)
      await readFolders()
      await connected.sync(user)
    },
    enable: async (repo, by) => (await of(repo)).enable(repo, by),
    disable: async (repo) => (await of(repo)).disable(repo),
  }
}
