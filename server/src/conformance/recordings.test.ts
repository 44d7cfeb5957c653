import type { Build, Collaborator, Cron, ErrorBody, Line, Repo, Secret, Stage, Step, User } from '@flightdeck/api'
import * as schema from '@flightdeck/api/schema'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type * as z from 'zod/mini'
import { readRecording, recordingNames } from '../testing/recordings.ts'
import type { Exchange } from '../testing/recordings.ts'

/**
 * Values that Drone accepts unchecked and that the contract does not promise: any text as
 * visibility (docs/api §2.3), any key in an uploaded log (§7.3).
 */
const nonsense = ['"visibility":"nonsense"', '"extra":true']
const isKnownNonsense = ({ body }: Exchange): boolean => nonsense.some((text) => JSON.stringify(body).includes(text))

const expectAnswer = (answer: z.ZodMiniType, body: unknown): void => {
  const result = answer.safeParse(body)
  expect(result.error?.issues ?? []).toEqual([])
  // Schemas drop unknown keys: a response that gets smaller has a key that the contract lacks.
  expect(result.data).toEqual(body)
}

describe.each(recordingNames)('recording %s', (name) => {
  const exchanges = readRecording(name)
  const succeeded = exchanges.filter(({ status }) => status === 200)
  const empty = exchanges.filter(({ status }) => status === 204)
  const refused = exchanges.filter(({ status, body }) => status >= 400 && typeof body === 'object' && body !== null)
  const title = ({ method, path, status, why }: Exchange): string => `${method} ${path} ${status} ${why ?? ''}`

  it.each(succeeded.filter((exchange) => !isKnownNonsense(exchange)).map((exchange) => [title(exchange), exchange]))(
    '%s',
    (_title, { method, path, body }) => {
      if (method === 'OPTIONS') return
      const endpoint = schema.findEndpoint(method, path)
      expect(endpoint?.answer, 'has a row in the table of endpoints').toBeTruthy()
      if (endpoint?.answer) expectAnswer(endpoint.answer, body)
    },
  )
  it.each([...empty, ...refused].map((exchange) => [title(exchange), exchange]))('%s', (_title, { status, body }) => {
    if (status === 204) expect(body ?? '').toBe('')
    else expectAnswer(schema.errorBody, body)
  })
})

it.each(readRecording('events').map(({ why, body }, index) => [index, why, body]))(
  'recorded event %d of %s',
  (_index, _why, body) => expectAnswer(schema.buildEventMessage, body),
)

describe('the schemas', () => {
  const [recorded] = readRecording('builds').filter(
    ({ method, path, status }) => method === 'GET' && status === 200 && /\/builds\/\d+$/.test(path),
  )

  it.each([
    ['a missing key', { sender: undefined }],
    ['a key that is to be left out when empty', { error: '' }],
    ['an empty list that is to be left out', { stages: [] }],
    ['a wrong type', { number: '1' }],
    ['an unknown status', { status: 'waiting' }],
    ['an unknown event', { event: 'merge' }],
    ['a flag of false that is to be left out', { debug: false }],
  ])('refuse %s', (_why, change) => {
    expect(schema.build.safeParse(recorded?.body).success).toBe(true)
    expect(schema.build.safeParse({ ...Object(recorded?.body), ...change }).success).toBe(false)
  })

  it('refuse a secret with its value', () => {
    expect(schema.secret.safeParse({ id: 1, name: 'a' }).success).toBe(true)
    expect(schema.secret.safeParse({ id: 1, name: 'a', data: 'x' }).success).toBe(false)
  })

  it('allow keys of our own', () => {
    expect(schema.version.safeParse({ version: '2.25.0', extra: 1 }).success).toBe(true)
  })

  it('agree with the types', () => {
    expectTypeOf<z.infer<typeof schema.build>>().toMatchTypeOf<Build>()
    expectTypeOf<Build>().toMatchTypeOf<z.infer<typeof schema.build>>()
    expectTypeOf<z.infer<typeof schema.stage>>().toMatchTypeOf<Stage>()
    expectTypeOf<Stage>().toMatchTypeOf<z.infer<typeof schema.stage>>()
    expectTypeOf<z.infer<typeof schema.step>>().toMatchTypeOf<Step>()
    expectTypeOf<Step>().toMatchTypeOf<z.infer<typeof schema.step>>()
    expectTypeOf<z.infer<typeof schema.repo>>().toMatchTypeOf<Repo>()
    expectTypeOf<Repo>().toMatchTypeOf<z.infer<typeof schema.repo>>()
    expectTypeOf<z.infer<typeof schema.user>>().toMatchTypeOf<User>()
    expectTypeOf<User>().toMatchTypeOf<z.infer<typeof schema.user>>()
    expectTypeOf<z.infer<typeof schema.cron>>().toEqualTypeOf<Cron>()
    expectTypeOf<z.infer<typeof schema.line>>().toEqualTypeOf<Line>()
    expectTypeOf<z.infer<typeof schema.secret>>().toMatchTypeOf<Secret>()
    expectTypeOf<z.infer<typeof schema.collaborator>>().toMatchTypeOf<Collaborator>()
    expectTypeOf<z.infer<typeof schema.errorBody>>().toEqualTypeOf<ErrorBody>()
  })
})

describe('findEndpoint', () => {
  it.each([
    ['GET', '/api/repos/acme/web/builds/latest', '/api/repos/:owner/:name/builds/latest'],
    ['GET', '/api/repos/acme/web/builds/12?x=1', '/api/repos/:owner/:name/builds/:number'],
    ['DELETE', '/api/repos/acme/web/builds/branches/feature/x', '/api/repos/:owner/:name/builds/branches/*'],
    ['GET', '/api/user/', '/api/user'],
    ['PUT', '/api/user', undefined],
    ['GET', '/api/nope', undefined],
  ])('%s %s → %s', (method, url, path) => expect(schema.findEndpoint(method, url)?.path).toBe(path))
})
