import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readChanges } from './changes.ts'
import { errorLineOf, gitError } from './git-errors.ts'
import { gitEnvironment, largeLimits, runGit, smallLimits, type GitResult } from './run-git.ts'
import { createTrustCache } from './trust-cache.ts'
import { isName, shaPattern } from './object-names.ts'
import { openObjects } from './objects.ts'
import { createSourceReader } from './sources.ts'
import { openSession, type GitSession } from './git-session.ts'
import { secondsOf } from './git-time.ts'
import { dubiousMessage, foreignOwner, writeTrust } from './trust.ts'
import { createViews, isWhole } from './repository-view.ts'
import { cutText, textLimits } from '../../lib/truncate-text.ts'
import type { GitCommit, GitReader } from '../../interfaces/git.ts'
import { findGitDir, ownedFolders } from '../repositories/git-dir.ts'
import { diskFailure } from '../../lib/disk-failure.ts'
import { publicMessage } from '../../lib/public-text.ts'

export interface Git extends GitReader {
  /**
   * Opens a session for one repository. It runs as few processes as possible, one after the other,
   * and leaves none running.
   */
  session(repoPath: string): GitSession
  /**
   * Identifies the folder and objects of a repository; a different value means another repository.
   * Throws if the repository must not be read.
   */
  identity(repoPath: string): Promise<string>
  /** The environment for git processes outside this module (the clone step). */
  readonly environment: Readonly<Record<string, string>>
  /** Reads again which folders the operator trusts. */
  refreshTrust(): Promise<void>
  /** Why git refuses these folders of one repository because of their owner, or `null`. */
  refusal(path: string, folders: readonly string[]): Promise<string | null>
}

/**
 * The maximum number of bytes that are turned into text: more than a pipeline file may have (a
 * million characters). Sixteen million took 96 ms.
 */
const maxText = 4 * 1024 * 1024 + 1

export interface GitOptions {
  dataDir: string
  /** The repositories that Flightdeck itself created. */
  own: readonly string[]
  /** The clock in milliseconds; tests replace it. */
  now?: () => number
  /** The timeout of a call about a single object; tests replace it. */
  timeoutMs?: number
}

/**
 * The limits for reading the times of all refs. A longer call would delay the ref checks of other
 * repositories.
 */
const refTimesLimits = { ...largeLimits, timeoutMs: 20_000 }

export async function createGit({ dataDir, own, now, timeoutMs }: GitOptions): Promise<Git> {
  const configFile = join(dataDir, 'git', 'config')
  const environment = gitEnvironment(configFile)
  let trusted = await writeTrust(configFile, own)
  const views = createViews(join(dataDir, 'git', 'views'))
  const trustCache = createTrustCache<{ view: string; identity: string }>(now)
  const small = { ...smallLimits, ...(timeoutMs !== undefined && { timeoutMs }) }
  const run = async (repoPath: string, args: readonly string[], limits = small) =>
    runGit((await check(repoPath)).view, args, environment, limits)

  /**
   * Returns the view that git reads instead of the repository itself. git's own owner check would
   * see the server's folder, not the repository's.
   */
  async function check(repoPath: string): Promise<{ view: string; identity: string }> {
    const cached = trustCache.get(repoPath)
    if (cached !== undefined && isWhole(cached.view)) return cached
    // The file was deleted while the server runs.
    if (!existsSync(configFile)) trusted = await writeTrust(configFile, own)
    const gitDir = await findGitDir(repoPath)
    if (!gitDir) throw gitError('git cannot read the repository: not a git repository')
    // Changes after this point are seen by the next check.
    const save = trustCache.begin(repoPath, gitDir)
    const owner = await foreignOwner(ownedFolders(repoPath, gitDir), trusted)
    if (owner !== null) throw await foreignRepository(repoPath, owner)
    const { path: view, folders } = await views.open(gitDir.commonDir).catch((error: unknown) => {
      // The disk of the server is not the repository's fault.
      throw diskFailure(error) === null ? gitError(`git cannot read the repository: ${publicMessage(error)}`) : error
    })
    // A repository that replaces another one has a different object folder.
    const { dev, ino, birthtimeNs } = await stat(join(gitDir.commonDir, 'objects'), { bigint: true })
    const found = { view, identity: `${view} ${dev} ${ino} ${birthtimeNs}` }
    save(found, folders)
    return found
  }

  async function revision(repoPath: string, name: string): Promise<string | null> {
    const result = await run(repoPath, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
    if (result.stopped) return fail(repoPath, result)
    if (result.code === 0) return result.stdout.toString().trim()
    // Missing names cause no error output. Any other output is another problem.
    if (result.stderr === '' || /unknown revision|needed a single revision|expected commit type/i.test(result.stderr))
      return null
    return fail(repoPath, result)
  }

  const reader: GitReader = {
    async resolve(repoPath, refOrSha) {
      if (!isName(refOrSha)) return null
      // A branch can have the name of a tag or of an abbreviated sha; the branch wins.
      if (!refOrSha.startsWith('refs/') && !shaPattern.test(refOrSha)) {
        const branch = await revision(repoPath, `refs/heads/${refOrSha}`)
        if (branch) return branch
      }
      return revision(repoPath, refOrSha)
    },
    async readFile(repoPath, sha, path) {
      const name = path.replace(/^(\.?\/)+/, '')
      if (name === '' || !shaPattern.test(sha)) return null
      const result = await run(repoPath, ['cat-file', 'blob', `${sha}:${name}`])
      if (result.code === 0) return result.stdout.toString('utf8', 0, maxText)
      if (/does not exist in|exists on disk, but not in|bad file|invalid object name/i.test(result.stderr)) return null
      return fail(repoPath, result)
    },
    async isAncestor(repoPath, sha, head) {
      if (!shaPattern.test(sha) || !shaPattern.test(head)) return false
      const result = await run(repoPath, ['merge-base', '--is-ancestor', sha, head], largeLimits)
      return result.code <= 1 ? result.code === 0 : fail(repoPath, result)
    },
    async commit(repoPath, sha) {
      if (!shaPattern.test(sha)) throw gitError(`${sha} is not a commit`)
      const format = '%H%x00%P%x00%an%x00%ae%x00%ct%x00%B'
      const result = await run(repoPath, [
        'log',
        '-1',
        '--no-color',
        '--no-notes',
        '--no-show-signature',
        `--format=${format}`,
        sha,
        '--',
      ])
      return result.code === 0 ? parseCommit(result.stdout.toString('utf8', 0, maxText)) : fail(repoPath, result)
    },
    async changes(repoPath, sha, signal) {
      if (!shaPattern.test(sha)) throw gitError(`${sha} is not a commit`)
      const { failure, ...changes } = await readChanges((await check(repoPath)).view, environment, { sha }, signal)
      if (failure !== undefined) throw gitError(`git cannot read the repository: ${failure}`)
      return changes
    },
    sources: createSourceReader(async (repoPath) => (await check(repoPath)).view, environment),
  }

  return {
    ...reader,
    environment,
    identity: async (repoPath) => (await check(repoPath)).identity,
    session: (repoPath) =>
      openSession(reader, {
        repoPath,
        objects: openObjects(async () => (await check(repoPath)).view, environment, { limits: small }),
        run: (...args) => run(repoPath, args, refTimesLimits),
      }),
    async refreshTrust() {
      trusted = await writeTrust(configFile, own)
      trustCache.clear()
    },
    async refusal(path, folders) {
      const owner = await foreignOwner(folders, trusted)
      return owner === null ? null : dubiousMessage(path, owner)
    },
  }
}

/** The length of a SHA-256 hash in hexadecimal. */
const shaLength = 64
/** More than any page shows, so that pages can report the truncation. */
const maxMessage = 4 * textLimits.message

function parseCommit(text: string): GitCommit {
  const [sha = '', parents = '', name = '', email = '', time = '', ...message] = text.split('\0')
  return {
    sha: cutText(sha, shaLength),
    parent: cutText(parents.split(' ', 1)[0] ?? '', shaLength),
    message: cutText(message.join('\0').trimEnd(), maxMessage),
    author: { name: cutText(name, textLimits.person), email: cutText(email, textLimits.person) },
    time: secondsOf(time),
  }
}

/**
 * git's reason, for users. The cause names the folder, the accounts and the fix, which a sync
 * writes to the log for the operator.
 */
async function foreignRepository(repoPath: string, owner: number): Promise<Error> {
  const error = gitError(
    'git cannot read the repository: its folder belongs to a different account of this machine ("dubious ownership"). Sync, then see the server log for the fix',
  )
  error.cause = new Error(await dubiousMessage(repoPath, owner))
  return error
}

async function fail(repoPath: string, result: GitResult): Promise<never> {
  if (result.stderr.includes('dubious ownership')) {
    throw await foreignRepository(repoPath, (await stat(repoPath)).uid)
  }
  throw gitError(`git cannot read the repository: ${reasonOf(result)}`)
}

const reasonOf = ({ stopped, stderr, code }: GitResult): string =>
  stopped === 'time' ? 'it took too long' : stopped === 'size' ? 'it is too large' : errorLineOf(stderr, code)
