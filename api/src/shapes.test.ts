/** The shapes accept a real server's responses and reject those that would break a screen. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

import { createClient } from './client.ts'
import { createOwnClient } from './own-client.ts'
import {
  build as buildShape,
  collaborator,
  cron,
  line,
  listedRepo,
  repo as repoShape,
  repoWithBuild,
  user,
  withToken,
} from './shapes.ts'

const shapes = {
  build: buildShape,
  collaborator,
  cron,
  line,
  listedRepo,
  repo: repoShape,
  repoWithBuild,
  user,
  withToken,
}

const folder = new URL('../../server/src/testing/recordings/', import.meta.url)
const found: { kind: 'user' | 'repo' | 'build' | 'cron' | 'line'; value: unknown }[] = []

/** Finds entities by keys that only they have. Drone itself made the recordings. */
const gather = (value: unknown): void => {
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) {
    try {
      gather(JSON.parse(value))
    } catch {
      // A string that looks like JSON.
    }
    return
  }
  if (Array.isArray(value)) for (const item of value) gather(item)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const has = (...keys: string[]) => keys.every((key) => key in value)
  if (has('login', 'machine', 'admin', 'id')) found.push({ kind: 'user', value })
  if (has('namespace', 'slug', 'config_path', 'counter')) found.push({ kind: 'repo', value })
  if (has('number', 'event', 'source_repo', 'author_login')) found.push({ kind: 'build', value })
  if (has('expr', 'next')) found.push({ kind: 'cron', value })
  if (has('pos', 'out', 'time')) found.push({ kind: 'line', value })
  for (const inner of Object.values(value)) gather(inner)
}
for (const file of readdirSync(folder)) gather(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))

describe('the recorded responses of Drone', () => {
  it('include every kind of entity', () => {
    for (const kind of ['user', 'repo', 'build', 'cron', 'line'])
      expect(found.filter((item) => item.kind === kind).length, kind).toBeGreaterThan(1)
  })
  it('fit the shapes', () => {
    expect(found.filter(({ kind, value }) => !shapes[kind](value))).toEqual([])
  })
})

const repo = { namespace: 'a', name: 'b', slug: 'a/b' }
const build = { number: 1, status: 'success' }
const withStep = (step: object, stage: object = {}) => ({
  number: 1,
  name: 'a',
  status: 'success',
  steps: [{ number: 1, name: 'b', status: 'success', ...step }],
  ...stage,
})
const wrong: [keyof typeof shapes, unknown][] = [
  ['user', {}],
  ['user', []],
  ['user', 'octocat'],
  ['user', { login: 7 }],
  ['withToken', { login: 'octocat' }],
  ['listedRepo', { namespace: 'a', name: 'b' }],
  ['repo', { ...repo, build: 'none' }],
  ['repo', { ...repo, build: { ...build, message: {} } }],
  ['repoWithBuild', repo],
  ['repoWithBuild', { ...repo, build: { ...build, stages: 5 } }],
  ['build', { status: 'success' }],
  ['build', { ...build, stages: [null] }],
  ['build', { ...build, stages: [{ number: 1, name: 'a', status: 'success', steps: {} }] }],
  ['build', { ...build, stages: [{ number: 1, name: 'a', status: 'success', depends_on: 'b' }] }],
  ['build', { ...build, stages: [withStep({ depends_on: 'clone' })] }],
  ['build', { ...build, stages: [withStep({ depends_on: [7] })] }],
  ['build', { ...build, stages: [withStep({}, { excerpts: 'none' })] }],
  ['build', { ...build, stages: [withStep({}, { excerpts: [{ line: 1 }] })] }],
  ['build', { ...build, stages: [withStep({}, { approved_by: {} })] }],
  ['build', { ...build, stages: [withStep({}, { declined_by: {} })] }],
  ['build', { ...build, excerpts: {} }],
  ['build', { ...build, canceled_by: {} }],
  ['build', { ...build, declined_by: [] }],
  ['build', { ...build, actor: 7 }],
  ['build', { ...build, started: 'yesterday' }],
  ['cron', { expr: '@daily' }],
  ['collaborator', { name: 'x' }],
]
it.each(wrong)('is not a %s: %j', (shape, value) => {
  expect(shapes[shape](value)).toBe(false)
})

it('a response of the wrong shape is an error with a message, and none of its data is returned', async () => {
  const options = { baseUrl: '', fetch: async () => new Response('{"hello":1}') }
  const client = { ...createClient(options), ...createOwnClient(options) }
  const words = 'Unexpected response from the server'
  for (const call of [
    () => client.getUser(),
    () => client.listRepos(),
    () => client.listRecent(),
    () => client.getRepo('a', 'b'),
    () => client.listBuilds('a', 'b', { page: 1 }),
    () => client.getBuild('a', 'b', 1),
    () => client.listBranches('a', 'b'),
    () => client.listDeployments('a', 'b'),
    () => client.listPulls('a', 'b'),
    () => client.listSecrets('a', 'b'),
    () => client.listCron('a', 'b'),
    () => client.listUsers(),
    () => client.createToken(),
    () => client.search({ text: 'x' }),
    () => client.getSyncProgress(),
    () => client.getRepoConnection('a', 'b'),
    () => client.getRepoTimes('a', 'b'),
    () => client.listFilteredBuilds('a', 'b'),
    () => client.getBuildCounts('a', 'b'),
    () => client.getRetention('a', 'b'),
    () => client.listEnvironmentRules('a', 'b'),
    () => client.getEnvironment('a', 'b', 'c'),
    () => client.getComparison('a', 'b'),
    () => client.listAccessTokens(),
    () => client.listSessions(),
    () => client.listWallLinks(),
    () => client.getWall(),
    () => client.listAudit(),
    () => client.listLastBuilds({ repos: '1' }),
    () => client.listPeople('a', 'b'),
    () => client.getUsualTimes('a', 'b', 1),
    () => client.getBuildHistory('a', 'b', 1),
    () => client.getStepScript('a', 'b', 1, 1, 1),
    () => client.getStepChanges('a', 'b', 1, 1, 1),
    () => client.getSourceFile('a', 'b', 1),
    () => client.getSourceAuthors('a', 'b', 1, 1, 1),
    () => client.getSecretUses('a', 'b'),
    () => client.getCronTimes({ expr: '@daily' }),
  ])
    await expect(call()).rejects.toThrow(words)
})
