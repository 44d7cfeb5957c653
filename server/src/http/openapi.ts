/** The API as an OpenAPI 3.1 document, made from the table of access and the answers of the contract. */
import { endpoints, errorBody, type Endpoint } from '@flightdeck/api/schema'
import * as z from 'zod/mini'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { access, type Level } from './access.ts'

const levels: Record<Level, string> = {
  anyone: 'Anyone, also without signing in.',
  user: 'Every account that is not disabled.',
  sysadmin: 'System administrators.',
  namespace: 'The user whose login is the namespace, and system administrators.',
  metrics: 'System administrators and machine users.',
  read: 'Users who can read the repository.',
  member: 'Users with their own read permission, and system administrators.',
  write: 'Users with write permission, and system administrators.',
  admin: 'Users with admin permission on the repository, and system administrators.',
}

/** Paths alike but for the names of their parts. */
const shapeOf = (name: string): string => name.replaceAll(/:[^/]+|\{[^{}]+\}/g, '{}')
const described = new Map<string, Endpoint>(
  endpoints.map((endpoint) => [shapeOf(`${endpoint.method} ${endpoint.path}`), endpoint]),
)

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output'): object => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
const content = (schema: object) => ({ 'application/json': { schema } })

/** A namespace may hold slashes (subgroups); the last part of a path with `*` may, too. */
const hints: Record<string, string> = {
  owner: 'One encoded part, also where it has slashes: `group%2Fsubgroup`.',
  namespace: 'One encoded part, also where it has slashes: `group%2Fsubgroup`.',
  rest: 'The rest of the path; slashes may stay.',
}

const parametersOf = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(hints[name] && { description: hints[name] }),
  }))

const operationId = (method: string, path: string): string =>
  method.toLowerCase() +
  path.replace(/^\/api\b/, '').replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_match, letter: string) => letter.toUpperCase())

const tagOf = (path: string): string => /^\/api\/([^/]+)/.exec(path)?.[1] ?? 'server'

function operationOf(method: string, path: string, level: Level, { answer, body }: Partial<Endpoint>) {
  const none = answer === null
  return {
    operationId: operationId(method, path),
    tags: [tagOf(path)],
    description: levels[level],
    parameters: parametersOf(path),
    ...(body && { requestBody: { required: true, content: content(schemaOf(body, 'input')) } }),
    security: level === 'anyone' ? [{}, { token: [] }] : [{ token: [] }, { session: [] }],
    responses: {
      ...(none
        ? { '204': { description: 'Done; no content.' } }
        : { '200': { description: 'OK', ...(answer && { content: content(schemaOf(answer, 'output')) }) } }),
      default: { description: 'Refused or failed.', content: content({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

/** Holds nothing but what the source code says: no settings, names or secrets of this server. */
export async function openApi(version: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, level] of Object.entries(access)) {
    await yieldToEventLoop()
    const [method = '', path = ''] = name.split(' ')
    const endpoint = described.get(shapeOf(name))
    if (method === 'ALL') continue
    const address = path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{rest}')
    paths[address] ??= {}
    paths[address][method.toLowerCase()] = operationOf(method, address, level, endpoint ?? {})
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Flightdeck', version, description: 'The API of Drone 2, with additions.' },
    paths,
    components: {
      schemas: { Error: schemaOf(errorBody, 'output') },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: '_session_' },
      },
    },
  }
}
