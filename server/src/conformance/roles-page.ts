/** `docs/roles.md`, made from the one table of role × route. */
import { access, type Level } from '../http/access.ts'
import { callers, expected, facts, visibilities, type Verdict } from './roles-expected.ts'

const levels: Record<Level, string> = {
  anyone: 'everybody, also who is not signed in',
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

/** One word where the visibility of the repository does not matter. */
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
  return `# Who may call what

Made from the table in \`api/src/endpoints\`; \`npm test\` tries every route as every caller. After a change of the
table: \`UPDATE_DOCS=1 npx vitest run server/src/conformance/roles-page.test.ts\`.

## Levels

${table(['level', 'who passes'], meanings)}

Somebody who may not read a repository is not told whether it exists. A system administrator needs no rights of his own.
Writers may approve and decline, as the screens offer it; Drone itself asks for administrators there.

## Responses

${table(['caller', ...names], people)}

The column "namespace" is about a namespace that is not the caller's own.

A bad token makes a guest of the caller, even beside a good session; so does that of a disabled account. Machine users count like all others.
A named token has the rights of its owner, but may not read the personal token, list, make or end tokens, wall links and sessions, rotate the token of a machine account, or make an invitation link: 403.

## Routes

\`/login\` and \`/logout\` are everybody's; all other addresses answer the page, whose calls stand here.

${table(['route', 'level'], routes)}
`
}
