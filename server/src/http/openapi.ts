/**
 * The API as an OpenAPI 3.1 document, made from the table of endpoints and the schemas of the
 * contract.
 */
import { endpoints, type Level, type Row } from '@flightdeck/api/endpoints'
import { schemas } from '@flightdeck/api/schema'
import * as z from 'zod/mini'
import { yieldToEventLoop } from '../lib/event-loop.ts'

const levels: Record<Level, string> = {
  anyone: 'Anyone, even without signing in.',
  user: 'Every account that is not disabled.',
  sysadmin: 'System administrators.',
  namespace: 'The user whose login is the namespace, and system administrators.',
  metrics: 'System administrators and machine users.',
  read: 'Users who can read the repository.',
  member: 'Users with their own read permission, and system administrators.',
  write: 'Users with write permission, and system administrators.',
  admin: 'Users with admin permission on the repository, and system administrators.',
}

const refOf = (kind: 'schemas' | 'responses' | 'parameters', name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** What each level is refused with (docs/api §2.0). */
const refusals: Record<Level, readonly number[]> = {
  anyone: [],
  user: [401],
  sysadmin: [401, 403],
  namespace: [401],
  metrics: [401, 403],
  read: [401, 404],
  member: [401, 404],
  write: [401, 404],
  admin: [401, 404],
}
const responseNames: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
}

const inJson = (schema: object) => ({ 'application/json': { schema } })

/** Whole numbers are bounded by what JavaScript can count: of no use to other languages. */
function withoutBounds({ jsonSchema }: { jsonSchema: { minimum?: unknown; maximum?: unknown } }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

function componentSchemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries<z.ZodMiniType>(schemas)) registry.add(schema, { id })
  const uri = (id: string) => `#/components/schemas/${id}`
  // `input`: keys that are added later are not errors for clients that were generated before.
  const { schemas: all } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri,
    override: withoutBounds,
  })
  return Object.fromEntries(
    Object.entries(all).map(([name, made]) => {
      const { $schema: _schema, $id: _id, ...schema } = made
      return [name, schema]
    }),
  )
}

function contentOf(answer: NonNullable<Row['answer']>): object {
  if (answer.includes('/')) return { [answer]: { schema: { type: 'string' } } }
  if (!answer.endsWith('[]')) return inJson(refOf('schemas', answer))
  const items = refOf('schemas', answer.slice(0, -2))
  // A log without lines is `null`.
  return inJson({ type: answer === 'Line[]' ? ['array', 'null'] : 'array', items })
}

const pathParameters = {
  owner: { type: 'string', description: 'One encoded segment, even if it has slashes: `group%2Fsubgroup`.' },
  namespace: { type: 'string', description: 'One encoded segment, even if it has slashes: `group%2Fsubgroup`.' },
  rest: { type: 'string', description: 'The rest of the path; slashes are allowed.' },
  name: { type: 'string' },
  number: { type: 'integer', description: 'The number of the build in its repository.' },
  stage: { type: 'integer', description: 'The number of the stage, from 1.' },
  step: { type: 'integer', description: 'The number of the step in its stage, from 1.' },
  id: { type: 'integer' },
  part: { type: 'integer' },
  pull: { type: 'string' },
  user: { type: 'string', description: 'The login.' },
  login: { type: 'string' },
  secret: { type: 'string', description: 'The name of the secret.' },
  cron: { type: 'string', description: 'The name of the cron job.' },
  environment: { type: 'string', description: 'The environment, as one encoded segment.' },
  template: { type: 'string' },
  sha: { type: 'string' },
} as const

const isKnown = (name: string): name is keyof typeof pathParameters => Object.hasOwn(pathParameters, name)

const componentParameters = () =>
  Object.fromEntries(
    Object.entries<{ type: string; description?: string }>(pathParameters).map(([name, { type, description }]) => [
      name,
      { name, in: 'path', required: true, schema: { type }, ...(description && { description }) },
    ]),
  )

/** An object with arbitrary keys, each of which is a query parameter. */
const queryParameter = ([name, type]: [string, string]) =>
  name === '*'
    ? {
        name: 'parameters',
        in: 'query',
        style: 'form',
        explode: true,
        description: 'Parameters of the build.',
        schema: { type: 'object', additionalProperties: { type } },
      }
    : { name, in: 'query', schema: { type } }

const tagOf = (path: string): string => /^\/api\/([^/]+)/.exec(path)?.[1] ?? 'server'

function operationOf(id: string, path: string, { level, query = {}, body, answer, own, notByNamedToken }: Row) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  for (const name of names) if (!isKnown(name)) throw new Error(`the path parameter ${name} is not described`)
  const takesInput = body !== undefined || Object.keys(query).length > 0 || /\{(number|stage|step)\}/.test(path)
  const statuses = [...(takesInput ? [400] : []), ...refusals[level], ...(notByNamedToken ? [403] : [])]
  return {
    operationId: id,
    tags: [tagOf(path)],
    description: `${levels[level]}${notByNamedToken ? ' Not by a named token.' : ''}${own ? ' Flightdeck only.' : ''}`,
    parameters: [
      ...names.map((name) => refOf('parameters', name)),
      ...Object.entries<string>(query).map(queryParameter),
    ],
    ...(body && { requestBody: { required: true, content: inJson(refOf('schemas', body)) } }),
    security: level === 'anyone' ? [{}, { token: [] }, { session: [] }] : [{ token: [] }, { session: [] }],
    responses: {
      ...(answer === null
        ? { '204': { description: 'Done; no content.' } }
        : { '200': { description: 'OK', content: contentOf(answer) } }),
      ...Object.fromEntries(statuses.map((status) => [status, refOf('responses', responseNames[status] ?? '')])),
      default: refOf('responses', 'Error'),
    },
  }
}

const errorResponse = (description: string) => ({ description, content: inJson(refOf('schemas', 'Error')) })

/** Holds nothing but what the source code says: no settings, names or secrets of this server. */
export async function openApi(version: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [id, row] of Object.entries<Row>(endpoints)) {
    const [method = '', path = ''] = row.call.split(' ')
    if (method === 'ALL') continue
    const address = path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{rest}')
    paths[address] ??= {}
    paths[address][method.toLowerCase()] = operationOf(id, address, row)
  }
  await yieldToEventLoop()
  return {
    openapi: '3.1.0',
    info: { title: 'Flightdeck', version, description: 'The API of Drone 2, with additions.' },
    paths,
    components: {
      schemas: componentSchemas(),
      parameters: componentParameters(),
      responses: {
        BadRequest: errorResponse('The request is not valid.'),
        Unauthorized: errorResponse('Not signed in, or the credential is not valid.'),
        Forbidden: errorResponse('Not allowed.'),
        NotFound: errorResponse('Not found, or not visible to the caller.'),
        Error: errorResponse('Refused or failed.'),
      },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: '_session_' },
      },
    },
  }
}
