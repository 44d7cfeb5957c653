/**
 * The document is a valid one, describes every route, and what Drone and this server answered fits
 * it.
 */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { findEndpoint } from '@flightdeck/api/schema'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readRecording, recordingNames } from '../testing/recordings.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { access } from './access.ts'
import { openApi } from './openapi.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

interface Operation {
  operationId: string
  parameters: object[]
  responses: Record<string, unknown> & { '200'?: { content?: { 'application/json': { schema: object } } } }
}
type Paths = Record<string, Record<string, Operation>>
const document = await openApi('1.2.3')
const paths = document.paths as Paths

it('is served to anyone, and is a valid OpenAPI 3.1 document', async () => {
  const response = await app.request('/api/openapi.json')
  expect(response.status).toBe(200)
  const served = (await response.json()) as Record<string, unknown>
  const validator = new Validator()
  expect(await validator.validate(structuredClone(served))).toMatchObject({ valid: true })
  expect(validator.version).toBe('3.1')
})

it('refuses a document that is none @system', async () => {
  const broken = { ...structuredClone(document), paths: { 'no-slash': { get: {} } } }
  expect(await new Validator().validate(broken)).toMatchObject({ valid: false })
})

it('describes every route with a method of its own, each with another id', () => {
  const routes = Object.keys(access).filter((name) => !name.startsWith('ALL '))
  const ids = Object.values(paths).flatMap((operations) => Object.values(operations).map((one) => one.operationId))
  expect(ids).toHaveLength(routes.length)
  expect(new Set(ids).size).toBe(ids.length)
})

/** Every `$ref` in a part of the document. */
const refsIn = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, ref = '']) => ref)

it('refers to components that there are, and describes none that nothing refers to', () => {
  const known = Object.entries(document.components).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `components/${kind}/${name}`),
  )
  const used = new Set(refsIn(document))
  expect([...used].filter((ref) => !known.includes(ref))).toEqual([])
  const isUsed = (ref: string) => used.has(ref) || ref.startsWith('components/securitySchemes/')
  expect(known.filter((ref) => !isUsed(ref))).toEqual([])
})

it('names each shape once: under 160 kB', () => {
  expect(JSON.stringify(document).length).toBeLessThan(160_000)
})

it('describes the query, the errors and the body of a call', () => {
  const list = paths['/api/repos/{owner}/{name}/builds']?.['get']
  expect(list?.parameters).toContainEqual({ name: 'per_page', in: 'query', schema: { type: 'integer' } })
  expect(Object.keys(list?.responses ?? {})).toEqual(['200', '400', '401', '404', 'default'])
  const start = paths['/api/repos/{owner}/{name}/builds']?.['post']
  expect(start?.parameters).toContainEqual(expect.objectContaining({ name: 'parameters', in: 'query', explode: true }))
  expect(paths['/api/repos/{owner}/{name}']?.['patch']).toMatchObject({
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/RepoPatch' } } } },
  })
})

it('says that a namespace with slashes is one encoded part', () => {
  expect(paths['/api/repos/{owner}/{name}']?.['get']?.parameters[0]).toMatchObject({
    $ref: '#/components/parameters/owner',
  })
  expect(document.components.parameters['owner']?.description).toContain('%2F')
})

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'api', components: document.components })
const addressOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{rest}')

const nonsense = ['"visibility":"nonsense"', '"extra":true']
const recorded = recordingNames.flatMap((name) =>
  readRecording(name).filter(
    ({ status, method, body }) =>
      status === 200 && method !== 'OPTIONS' && !nonsense.some((text) => JSON.stringify(body).includes(text)),
  ),
)

it('has recordings to compare', () => expect(recorded.length).toBeGreaterThan(50))

it.each(recorded.map((exchange) => [`${exchange.method} ${exchange.path}`, exchange] as const))(
  '%s, as Drone answered it, fits',
  (_title, { method, path, body }) => {
    const endpoint = findEndpoint(method, path)
    const operation = paths[addressOf(endpoint?.path ?? '')]?.[method.toLowerCase()]
    const schema = operation?.responses['200']?.content?.['application/json'].schema
    expect(schema, 'is described').toBeDefined()
    const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object
    expect(ajv.validate(whole, body), ajv.errorsText()).toBe(true)
  },
)
