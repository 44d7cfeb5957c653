/** The connection to a forge with all its parts. */
import type { Repo } from '@flightdeck/api'
import type { Forge, ForgePage, RepoConnection } from '../interfaces/forge.ts'
import type { ForgeSource } from '../interfaces/repository-source.ts'
import type { FindOrigin } from '../interfaces/origin.ts'
import { findForgeAccount } from '../store/forge-accounts.ts'
import { findForgeRepoState, setForgeRepoState } from '../store/forge-repos.ts'
import { findRepo, findRepoInternals } from '../store/repos.ts'
import { lastStatusError } from '../store/statuses.ts'
import { findUser } from '../store/users.ts'
import { createActivation } from './activation.ts'
import type { ForgeContext } from './context.ts'
import type { ForgeLinks } from './driver.ts'
import type { Admission } from './people.ts'
import { refreshFacts } from './facts.ts'
import { startPoll } from './poll.ts'
import { createReceiver } from './receive.ts'
import { startRights } from './rights.ts'
import { findForgeOrigin } from './runner-access.ts'
import { createSignIn } from './sign-in.ts'
import { startStatuses } from './statuses-queue.ts'
import { createSync } from './sync.ts'

/** Repositories are synced again for a user who returns after this long; in seconds. */
const maxSyncAge = 7 * 24 * 3600

export interface ConnectedForge extends Forge, ForgeSource {
  /** For the steps of a build. */
  readonly origin: FindOrigin
  /** Resolves when no webhook waits any more; for tests. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** The forge's page for one of our links. */
export const pageAt = (links: ForgeLinks, slug: string, what: ForgePage): string => {
  switch (what.kind) {
    case 'repository':
      return links.repository(slug)
    case 'commit':
      return links.commit(slug, what.sha)
    case 'branch':
      return links.branch(slug, what.branch)
    case 'tag':
      return links.tag(slug, what.tag)
    case 'file':
      return links.file(slug, what.sha, what.path, what.line)
    case 'compare':
      return links.compare(slug, what.before, what.after)
    case 'pull-request':
      return links.pullRequest(slug, what.number)
  }
}

export function connectForge(forge: ForgeContext, admission: Admission): ConnectedForge {
  const { db, driver, box } = forge
  const sync = createSync(forge)
  const activation = createActivation(forge)
  const statuses = startStatuses(forge)
  const signIn = createSignIn(forge, {
    admission,
    onNew(user) {
      if (forge.now() - user.synced < maxSyncAge) return
      sync.run(user).catch((error: unknown) => forge.log(`the repositories of ${user.login} could not be read`, error))
    },
  })
  const rights = startRights(forge, (userId) => signIn.isStillMember(userId))
  const receiver = createReceiver(
    forge,
    async (repoId) => {
      const repo = await findRepo(db, repoId)
      if (repo) await refreshFacts(forge, repo)
    },
    (repoId) => poll.scheduleSoon(repoId),
  )
  const poll = startPoll(forge, (repoId, event) => receiver.add(repoId, event))

  const isOurs = async (repo: Repo): Promise<boolean> => (await findRepoInternals(db, repo.id))?.forge === true

  async function connection(repo: Repo, { secrets }: { secrets: boolean }): Promise<RepoConnection | null> {
    if (!(await isOurs(repo))) return null
    const state = await findForgeRepoState(db, repo.id)
    const owner = await findUser(db, repo.user_id)
    const account = owner && (await findForgeAccount(db, owner.id))
    const isManual = repo.active && state?.hookError !== ''
    const secret = secrets && state?.hookSecret ? box.decrypt(state.hookSecret) : ''
    const byHand = driver.hookByHand
    return {
      forge: driver.title,
      link: driver.links.repository(repo.slug),
      hook: {
        state: isManual ? 'manual' : state?.hookId ? 'installed' : 'none',
        error: state?.hookError ?? '',
        lastReceived: state?.hookSeen ?? 0,
        ...(isManual &&
          secret && {
            manual: {
              url: forge.hookUrl,
              secret,
              contentType: byHand.contentType,
              events: byHand.events,
              page: byHand.page(repo.slug),
            },
          }),
      },
      mirror: {
        fetched: state?.mirrorFetched ?? 0,
        bytes: state?.mirrorBytes ?? 0,
        error: state?.mirrorError ?? '',
      },
      actsAs: account && account.token !== '' ? (owner?.login ?? '') : '',
      status: await lastStatusError(db, repo.id),
    }
  }

  return {
    title: driver.title,
    url: driver.url,
    signIn: driver.signIn.kind,
    begin: (cookie) => signIn.begin(cookie),
    finish: (answer, signal) => signIn.finish(answer, signal),
    withPassword: (login, password, signal) => signIn.withPassword(login, password, signal),
    receive: (header, body) => receiver.receive(header, body),
    recheckRight(user, repo) {
      rights.recheckSoon(user, repo)
    },
    connection,
    syncState: (user) => sync.state(user.id),
    repair: async (repo) => ((await isOurs(repo)) ? activation.repair(repo) : null),
    async fetchNow(repo) {
      if (!(await isOurs(repo))) return false
      await activation.fetch(poll.now(repo))
      return true
    },
    pageOf: async (repo, what) => ((await isOurs(repo)) ? pageAt(driver.links, repo.slug, what) : null),
    hasAccount: async (user) => (await findForgeAccount(db, user.id)) !== null,
    sync: (user) => sync.run(user),
    enable: (repo, by) => activation.enable(repo, by),
    async disable(repo) {
      await setForgeRepoState(db, repo.id, {})
      return activation.disable(repo)
    },
    origin: (build, repo) => findForgeOrigin(forge, build, repo),
    idle: () => receiver.idle(),
    async stop() {
      await poll.stop()
      await rights.stop()
      await receiver.idle()
      await statuses.stop()
    },
  }
}
