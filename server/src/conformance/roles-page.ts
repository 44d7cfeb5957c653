/** `docs/roles.md`, generated from the one table of role × route. */
import { access, type Level } from '../http/access.ts'
import { callers, expected, facts, visibilities, type Verdict } from './roles-expected.ts'

const levels: Record<Level, string> = {
  anyone: 'anyone, even without signing in',
  user: 'every account that is not disabled',
  sysadmin: 'system administrators',
  namespace: 'the user whose login is the namespace, and system administrators',
  metrics: 'system administrators and machine users',
  read: 'users who can read the repository: by its visibility, by a permission, or as system administrator',
  member: 'users with their own read permission, and system administrators; visibility does not matter',
  write: 'users with write permission, and system administrators; visibility does not matter',
  admin: 'users with admin permission on the repository, and system administrators',
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const inWords = (verdict: Verdict): string => (verdict === 'allowed' ? 'yes' : verdict)

/** One word if the repository's visibility does not matter. */
function cell(level: Level, caller: (typeof callers)[number]): string {
  const verdicts = visibilities.map((visibility) => inWords(expected[level](facts[caller], visibility)))
  return new Set(verdicts).size === 1
    ? (verdicts[0] ?? '')
    : visibilities.map((visibility, index) => `${visibility}: ${verdicts[index]}`).join('<br>')
}

export function rolesPage(): string {
  const names = Object.keys(levels) as Level[]
  const meanings = names.map((level) => [level, levels[level]])
  const people = callers.map((caller) => [caller, ...names.map((level) => cell(level, caller))])
  const pathOf = (route: string): string => route.split(' ')[1] ?? ''
  const routes = Object.entries(access)
    .toSorted(([a], [b]) => (pathOf(a) < pathOf(b) ? -1 : 1))
    .map(([route, level]) => [`\`${route}\``, level])
  return `# Roles and permissions

Made from the table in \`api/src/endpoints\`; \`npm test\` tries every route as every caller. After a change of the
table: \`UPDATE_DOCS=1 npx vitest run server/src/conformance/roles-page.test.ts\`.

## Levels

${table(['level', 'allowed callers'], meanings)}

Callers who cannot read a repository get the same response as if it did not exist. System administrators need no permissions of their own.
Users with write permission can approve and decline builds; Drone requires administrators for this.

## Responses

${table(['caller', ...names], people)}

The column "namespace" describes a namespace other than the caller's own.

A request with an invalid token, or with the token of a disabled account, is treated as signed out, even if it also has a valid session. Machine users have the same permissions as other users.
A named token has the permissions of its owner, with exceptions: it cannot read the personal token, manage tokens, wall links or sessions, rotate the token of a machine account, or create an invitation link. These calls return 403.

## Routes

Anyone can call \`/login\` and \`/logout\`. All addresses that are not listed return the page.

${table(['route', 'level'], routes)}
`
}
