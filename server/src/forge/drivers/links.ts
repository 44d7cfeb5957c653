/** Addresses of a forge's own pages. */
import type { ForgeKind, ForgeLinks } from '../driver.ts'

/** A path with every part encoded. `.` and `..` are left out: a browser would walk up with them. */
export const encodedPath = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => encodeURIComponent(part))
    .join('/')

interface Forms {
  commit: string
  branch: string
  tag: string
  file: string
  compare: string
  pull: string
}

const gitea: Forms = {
  commit: 'commit',
  branch: 'src/branch',
  tag: 'src/tag',
  file: 'src/commit',
  compare: 'compare',
  pull: 'pulls',
}

const forms: Record<ForgeKind, Forms> = {
  gitea,
  forgejo: gitea,
  gogs: { ...gitea, branch: 'src', tag: 'src', file: 'src' },
  github: { commit: 'commit', branch: 'tree', tag: 'tree', file: 'blob', compare: 'compare', pull: 'pull' },
  gitlab: {
    commit: '-/commit',
    branch: '-/tree',
    tag: '-/tags',
    file: '-/blob',
    compare: '-/compare',
    pull: '-/merge_requests',
  },
}

/** `url` is the forge's address for people, without a slash at its end. */
export function linksOf(kind: ForgeKind, url: string): ForgeLinks {
  const form = forms[kind]
  const page = (repo: string, ...parts: string[]): string =>
    [url, encodedPath(repo), ...parts].filter((part) => part !== '').join('/')
  return {
    repository: (repo) => page(repo),
    commit: (repo, sha) => page(repo, form.commit, encodedPath(sha)),
    branch: (repo, branch) => page(repo, form.branch, encodedPath(branch)),
    tag: (repo, tag) => page(repo, form.tag, encodedPath(tag)),
    file: (repo, sha, path, line) =>
      `${page(repo, form.file, encodedPath(sha), encodedPath(path))}${line === undefined ? '' : `#L${line}`}`,
    compare: (repo, before, after) => page(repo, form.compare, `${encodedPath(before)}...${encodedPath(after)}`),
    pullRequest: (repo, number) => page(repo, form.pull, String(number)),
    author: (login) => page(encodedPath(login)),
  }
}
