// Compares the recorded payloads, in a folder next to the repository, with what a public library
// makes of each (`.golden`).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ForgeKind } from '../driver.ts'
import type { ForgeEvent, InvalidHook } from '../events.ts'
import { isZeroSha, Json } from './json.ts'
import { parseHook } from './parse.ts'

const folder = join(import.meta.dirname, '../../../../../shared/reference/forge-payloads')
const recorded = ['gitea', 'gogs', 'github', 'gitlab'] as const

const githubNames: readonly [RegExp, string][] = [
  [/^(?:branch|tag)_create/, 'create'],
  [/^(?:branch|tag)_delete/, 'delete'],
  [/^push/, 'push'],
  [/^pr_review/, 'pull_request_review'],
  [/^pr_/, 'pull_request'],
  [/^deployment/, 'deployment'],
  [/^release/, 'release'],
  [/^check_run/, 'check_run'],
  [/^status/, 'status'],
  [/^merge_group/, 'merge_group'],
  [/^pipeline/, 'workflow_run'],
  [/comment/, 'issue_comment'],
]

const giteaName = (payload: Json): string => {
  if (payload.has('comment')) return 'issue_comment'
  if (payload.has('issue')) return 'issues'
  if (payload.has('pull_request')) return 'pull_request'
  if (payload.has('commits')) return 'push'
  return payload.has('pusher_type') ? 'delete' : 'create'
}

const gitlabNames: Record<string, string> = {
  push: 'Push Hook',
  tag_push: 'Tag Push Hook',
  merge_request: 'Merge Request Hook',
  note: 'Note Hook',
  issue: 'Issue Hook',
  pipeline: 'Pipeline Hook',
}

const eventName = (forge: (typeof recorded)[number], file: string, payload: Json): string => {
  if (forge === 'github') return githubNames.find(([pattern]) => pattern.test(file))?.[1] ?? 'unknown'
  return forge === 'gitlab' ? (gitlabNames[payload.text('object_kind')] ?? 'unknown') : giteaName(payload)
}

/** The library's fields are written in several cases. */
const lower = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(lower)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key.toLowerCase(), lower(field)]))
}

const pullActions = ['opened', 'synchronized', 'reopened', 'closed', 'merged']

/** What the library's result means for a CI server. */
const kindOf = (golden: Json, payload: Json): ForgeEvent['kind'] => {
  if (golden.has('data') || golden.has('task')) return 'deployment'
  const isOther = ['comment', 'issue', 'release', 'checks', 'execution'].some((field) => golden.has(field))
  if (isOther) return 'ignored'
  const action = golden.text('action')
  if (golden.has('pullrequest')) return pullActions.includes(action) ? 'pull-request' : 'ignored'
  if (golden.text('ref')) {
    // The library reports a push to nothing unchanged; it starts no build.
    const isDeleted = isZeroSha(golden.at('commit').text('sha'))
    if (golden.text('ref').startsWith('refs/tags/')) return isDeleted ? 'tag-deleted' : 'tag'
    return isDeleted ? 'branch-deleted' : 'push'
  }
  if (!golden.has('ref')) return 'ignored'
  const isTag = payload.text('ref_type') === 'tag' || payload.text('object_kind') === 'tag_push'
  if (action === 'deleted') return isTag ? 'tag-deleted' : 'branch-deleted'
  return isTag ? 'tag' : 'ignored'
}

const personOf = (json: Json) => ({ login: json.text('login'), name: json.text('name'), email: json.text('email') })
const isSaid = (value: string) => value !== ''
/** What the library leaves empty is not compared: Flightdeck may know more. */
const said = <Value extends Record<string, string>>(facts: Value): Partial<Value> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => isSaid(value))) as Partial<Value>

const expectRepository = (event: ForgeEvent | InvalidHook, golden: Json, forge: string) => {
  const repo = golden.at('repo')
  expect(event).toHaveProperty('repository')
  const { repository } = event as Extract<ForgeEvent, { kind: 'push' }>
  const facts = { id: repo.text('id'), namespace: repo.text('namespace'), name: repo.text('name') }
  expect(repository).toMatchObject({ ...facts, link: repo.text('link'), cloneUrl: repo.text('clone') })
  expect(repository.defaultBranch).toBe(repo.text('branch'))
  // The library does not read GitLab's level.
  if (forge !== 'gitlab') expect(repository.private).toBe(repo.flag('private'))
}

const expectCommit = (event: Extract<ForgeEvent, { kind: 'push' | 'tag' }>, golden: Json) => {
  if (golden.text('ref')) {
    const commit = golden.at('commit')
    expect(event.ref).toBe(golden.text('ref'))
    expect(event).toMatchObject(said({ before: golden.text('before'), after: commit.text('sha') }))
    expect(event.message).toBe(commit.long('message'))
    expect(event).toMatchObject(said({ link: commit.text('link') }))
    expect(event.author).toMatchObject(said(personOf(commit.at('author'))))
    return
  }
  const ref = golden.at('ref')
  expect(event.ref).toBe(`refs/tags/${ref.text('name')}`)
  expect(event.after).toBe(ref.text('sha'))
}

const expectPull = (event: Extract<ForgeEvent, { kind: 'pull-request' }>, golden: Json, forge: string) => {
  const pull = golden.at('pullrequest')
  const action = golden.text('action')
  expect(event.action).toBe(action === 'merged' ? 'closed' : action)
  expect(event).toMatchObject({
    number: Number(pull.id('number')),
    title: pull.text('title'),
    body: pull.long('body'),
    head: pull.text('sha'),
    ref: pull.text('ref'),
    source: pull.text('source'),
    target: pull.text('target'),
    link: pull.text('link'),
    merged: pull.flag('merged'),
  })
  expect(event).toMatchObject(said({ base: pull.at('base').text('sha') }))
  expect(event.author).toMatchObject(said(personOf(pull.at('author'))))
  // The library joins GitLab's name for display ("Jane Doe") with the project's.
  if (forge !== 'gitlab') expect(event.sourceRepository).toBe(pull.text('fork'))
}

const expectEvent = (event: ForgeEvent | InvalidHook, golden: Json, forge: string) => {
  switch (event.kind) {
    case 'push':
    case 'tag':
      expectCommit(event, golden)
      break
    case 'pull-request':
      expectPull(event, golden, forge)
      break
    case 'branch-deleted':
      expect([golden.at('ref').text('name'), golden.text('ref')]).toContain(
        golden.has('commit') ? `refs/heads/${event.branch}` : event.branch,
      )
      break
    case 'tag-deleted':
      expect([golden.at('ref').text('name'), golden.text('ref')]).toContain(
        golden.has('commit') ? `refs/tags/${event.tag}` : event.tag,
      )
      break
    case 'deployment':
      expect(event).toMatchObject({
        id: golden.id('number'),
        target: golden.text('target'),
        task: golden.text('task'),
        description: golden.text('desc'),
        after: golden.at('ref').text('sha'),
        ref: golden.at('ref').text('path'),
        params: golden.raw('data'),
      })
      break
    default:
      break
  }
}

const payloadsOf = (forge: string): string[] =>
  readdirSync(join(folder, forge, 'webhooks')).filter(
    (file) => file.endsWith('.json') && existsSync(join(folder, forge, 'webhooks', `${file}.golden`)),
  )

const parsersOf = (forge: (typeof recorded)[number]): readonly ForgeKind[] =>
  forge === 'gitea' ? ['gitea', 'forgejo'] : [forge]

// Needs the folder of recorded payloads next to the repository.
describe.skipIf(!existsSync(folder))('a recorded payload', () => {
  const cases = existsSync(folder)
    ? recorded.flatMap((forge) =>
        payloadsOf(forge).flatMap((file) => parsersOf(forge).map((kind) => ({ forge, file, kind }))),
      )
    : []

  it.each(cases)('$kind: $forge/$file gives what the library says', ({ forge, file, kind }) => {
    const body = readFileSync(join(folder, forge, 'webhooks', file))
    const goldenText = readFileSync(join(folder, forge, 'webhooks', `${file}.golden`), 'utf8').trim()
    const payload = new Json(JSON.parse(body.toString()))
    const golden = new Json(lower(goldenText ? JSON.parse(goldenText) : {}))
    const header = `x-${forge}-event`
    const { event } = parseHook(kind, (name) => (name === header ? eventName(forge, file, payload) : undefined), body)
    // The library has no result for this push.
    if (goldenText === '' && payload.text('object_kind') === 'push') return
    expect(event.kind).toBe(kindOf(golden, payload))
    if (event.kind === 'ignored') return
    expectRepository(event, golden, forge)
    expect('sender' in event && event.sender.login).toBe(golden.at('sender').text('login'))
    expectEvent(event, golden, forge)
  })

  const withoutResult = existsSync(folder)
    ? recorded.flatMap((forge) =>
        readdirSync(join(folder, forge, 'webhooks'))
          .filter((file) => file.endsWith('.json') && !payloadsOf(forge).includes(file))
          .flatMap((file) => parsersOf(forge).map((kind) => ({ forge, file, kind }))),
      )
    : []

  it.each(withoutResult)('$kind: $forge/$file, of which the library says nothing, starts no build', (one) => {
    const body = readFileSync(join(folder, one.forge, 'webhooks', one.file))
    const name = eventName(one.forge, one.file, new Json(JSON.parse(body.toString())))
    const { event } = parseHook(one.kind, (header) => (header === `x-${one.forge}-event` ? name : undefined), body)
    expect(event.kind).toBe('ignored')
  })
})
