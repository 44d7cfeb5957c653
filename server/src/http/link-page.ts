/** The pages behind `link` of repositories and builds: a local repository has no forge that could show them (docs/api §2.10). */
import type { Repo } from '@flightdeck/api'
import type { CommitDetails } from '../interfaces/ci.ts'
import type { Call } from './context.ts'
import { escape, htmlPage } from './html.ts'
import { rfc3339 } from './times.ts'

const changes: Record<string, string> = { A: 'added', M: 'modified', D: 'deleted', T: 'type changed' }

const files = ({ files: list, cut }: CommitDetails): string => {
  if (list.length === 0) return '<p>No file was changed.</p>'
  const rows = list.map(
    ({ status, path }) => `<tr><td>${changes[status] ?? 'changed'}</td><td>${escape(path)}</td></tr>`,
  )
  const more = cut ? `<p>Only the first ${list.length} files are shown.</p>` : ''
  return `<table>\n${rows.join('\n')}\n</table>${more}`
}

/** The author's own words are never a link: a repository's text must not lead anybody anywhere. */
export function commitPage(repo: Repo, commit: CommitDetails): Response {
  const [subject = '', ...rest] = commit.message.split('\n')
  const body = rest.join('\n').trim()
  const { name, email } = commit.author
  const facts = [
    ['Commit', `<code>${escape(commit.sha)}</code>`],
    ['Author', escape(email ? `${name} <${email}>` : name)],
    ['Committed', timeOf(commit.time)],
    ...(commit.parent ? [['Parent', parentLink(repo, commit.parent)]] : []),
  ]
  return htmlPage(
    `${subject} · ${repo.slug}`,
    [
      `<p><a href="${escape(pathOf(repo))}">${escape(repo.slug)}</a></p>`,
      `<h1>${escape(subject || '(no message)')}</h1>`,
      body && `<pre>${escape(body)}</pre>`,
      `<dl>${facts.map(([key, value]) => `<dt>${key}</dt><dd>${value}</dd>`).join('\n')}</dl>`,
      '<h2>Changed files</h2>',
      files(commit),
    ].join('\n'),
  )
}

/** Whoever makes a commit chooses its time; git takes some that no calendar has. */
function timeOf(seconds: number): string {
  const time = rfc3339(seconds)
  return time === null
    ? `${seconds} seconds after 1970`
    : `<time datetime="${time}">${time.slice(0, -1).replace('T', ' ')} UTC</time>`
}

const pathOf = ({ namespace, name }: Repo): string => `/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`
export const commitPath = (repo: Repo, sha: string): string => `/link${pathOf(repo)}/commit/${sha}`
const parentLink = (repo: Repo, sha: string): string =>
  `<a href="${escape(commitPath(repo, sha))}"><code>${escape(sha)}</code></a>`

/** Where a person looks, a refusal is a page, too. */
export const wantsPage = (c: Call): boolean =>
  /^\/(link\/|login$|login\/token$|logout$)/.test(c.req.path) && /\btext\/html\b/.test(c.req.header('accept') ?? '')

/** `path`: what was asked for, which may be answered later. */
export function refusalPage(message: string, status: number, path: string): Response {
  const retry = `<p><a href="${escape(path)}">Retry</a></p>`
  const hints: Record<number, string> = {
    502: retry,
    503: retry,
    504: retry,
    401: '<p><a href="/login/form">Sign in</a> to see it, if you may.</p>',
    429: '<p><a href="/login/form">Back to the form</a></p>',
  }
  const hint = hints[status] ?? ''
  return htmlPage(message, `<h1>${escape(message)}</h1>${hint}<p><a href="/">To the dashboard</a></p>`, status)
}
