/**
 * `docs/api/schemas.md`, generated from the schemas of the contract, with every key.
 */
import { openApi } from '../http/openapi.ts'

interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}

const keysOf = ({ properties = {}, required = [] }: Schema): [string, Schema][] =>
  Object.entries(properties)
    .filter(([, value]) => !('not' in value))
    .map(([key, value]) => [required.includes(key) ? key : `${key}?`, value])

const listValues = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(' or ')

/** In readable notation: `[Step]`, `{name: string, image?: string}`. */
function inWords(schema: Schema): string {
  if (schema.$ref) return schema.$ref.replace('#/components/schemas/', '')
  if (schema.const !== undefined) return listValues([schema.const])
  if (schema.enum) return listValues(schema.enum)
  if (schema.anyOf) return schema.anyOf.map(inWords).join(' or ')
  if (schema.prefixItems) return `[${schema.prefixItems.map(inWords).join(', ')}]`
  if (schema.type === 'array') return `[${inWords(schema.items ?? {})}]`
  if (schema.properties)
    return `{${keysOf(schema)
      .map(([key, value]) => `${key}: ${inWords(value)}`)
      .join(', ')}}`
  if (typeof schema.additionalProperties === 'object') return `{any key: ${inWords(schema.additionalProperties)}}`
  return schema.type ?? 'any JSON'
}

function section([name, schema]: [string, Schema]): string {
  if (!schema.properties) return `## ${name}\n\n${inWords(schema)}\n`
  const rows = keysOf(schema).map(([key, value]) => `| ${key} | ${inWords(value)} |`)
  return [`## ${name}`, '', '| key | type |', '| --- | --- |', ...rows, ''].join('\n')
}

export async function schemasPage(): Promise<string> {
  const { components } = await openApi('')
  const sections = Object.entries(components.schemas as Record<string, Schema>)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(section)
  return `# Schemas

Every key of every body and answer, made from \`api/src/schemas.ts\`. After a change:
\`UPDATE_DOCS=1 npx vitest run server/src/conformance/schemas-page.test.ts\`. [endpoints.md](endpoints.md) lists the calls that use them,
[shapes.md](shapes.md) explains the keys. A \`?\` after a key means that it is optional.

${sections.join('\n')}`
}
