/** `docs/api/endpoints.md`, generated from the table of endpoints. */
import { endpoints, type Row } from '@flightdeck/api/endpoints'

const code = (text: string): string => `\`${text}\``
const pathOf = ({ call }: Row): string => call.split(' ')[1] ?? ''

const cells = ([name, row]: [string, Row]): string[] => [
  code(row.call),
  name,
  row.level,
  Object.entries<string>(row.query ?? {})
    .map(([key, type]) => (key === '*' ? 'any other key' : `${key} (${type})`))
    .join(', '),
  row.body ?? '',
  row.answer ?? '204',
  row.own === undefined ? '' : row.own === true ? 'yes' : row.own,
]

export function endpointsPage(): string {
  const rows = Object.entries<Row>(endpoints).toSorted(([, a], [, b]) => (pathOf(a) < pathOf(b) ? -1 : 1))
  const lines = [
    ['call', 'operation', 'level', 'query', 'body', 'answer', 'Flightdeck only'],
    ['---', '---', '---', '---', '---', '---', '---'],
    ...rows.map(cells),
  ].map((line) => `| ${line.join(' | ')} |`)
  return `# Endpoints

Made from the table in \`api/src/endpoints\`. After a change: \`UPDATE_DOCS=1 npx vitest run server/src/conformance/endpoints-page.test.ts\`.
\`GET /api/openapi.json\` serves the same as an OpenAPI 3.1 document with the schemas of bodies and answers: clients in other languages can be
generated from it. *Operation* is the name of the call there and in the client of the page. Levels are explained in [roles.md](../roles.md), errors
and what the parameters mean in [routes.md](routes.md). *Flightdeck only*: Drone does not have the call; a name in that column is the capability that
\`GET /api/user\` lists.

${lines.join('\n')}
`
}
