import type { Repo } from '@flightdeck/api'
import type { GitCommit, GitReader } from '../../interfaces/git.ts'
import { commitLink, type Hook } from '../../interfaces/hook.ts'
import type { RefChange } from './ref-changes.ts'

/** The trigger of builds that no user started (docs/api §1.4). */
const trigger = '@hook'

/**
 * Returns the build for a changed ref (docs/api §5.3); `null` if the ref does not point to a
 * commit.
 */
export async function hookOf(git: GitReader, repo: Repo, path: string, change: RefChange): Promise<Hook | null> {
  // An annotated tag points at a tag object, not at a commit.
  const sha = await git.resolve(path, change.after)
  if (!sha) return null
  const commit = await git.commit(path, sha)
  const facts = { trigger, ref: change.ref, after: sha, link: commitLink(repo, sha) }
  return { ...fromCommit(commit), ...(await fromRef(git, repo, path, change)), ...facts }
}

const fromCommit = ({ message, author }: GitCommit) => ({
  message,
  // Local commits have no accounts, so the author's name replaces the login.
  sender: author.name,
  author: { login: author.name, name: author.name, email: author.email, avatar: '' },
})

type RefPart = Pick<Hook, 'event' | 'action' | 'source' | 'target' | 'before' | 'title'>

async function fromRef(git: GitReader, repo: Repo, path: string, { ref, before }: RefChange): Promise<RefPart> {
  const tag = afterPrefix(ref, 'refs/tags/')
  if (tag !== null) return { event: 'tag', action: 'create', source: tag, target: tag, before: '' }
  const branch = afterPrefix(ref, 'refs/heads/')
  if (branch !== null) return { event: 'push', source: branch, target: branch, before }
  const base = (await git.resolve(path, `refs/heads/${repo.default_branch}`)) ?? ''
  return {
    event: 'pull_request',
    action: before ? 'synchronized' : 'opened',
    // A ref that is neither a branch, a tag nor a pull request has neither a source nor a target
    // branch.
    source: ref.slice('refs/'.length),
    target: repo.default_branch,
    before: base,
  }
}

const afterPrefix = (ref: string, prefix: string): string | null =>
  ref.startsWith(prefix) ? ref.slice(prefix.length) : null
