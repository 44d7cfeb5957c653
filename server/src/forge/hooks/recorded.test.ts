// Compares the recorded payloads, in a folder next to the repository, with what a public library
// makes of each (`.golden`), field by field.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'
import type { Hook } from '../../interfaces/hook.ts'
import type { ForgeKind } from '../driver.ts'
import { deploymentHook, pullRequestHook, pushHook, tagHook } from '../events-to-builds.ts'
import type { ForgeEvent, HookPerson, InvalidHook } from '../events.ts'
import { isZeroSha, Json } from './json.ts'
import { parseHook } from './parse.ts'

const folder =
  process.env.FLIGHTDECK_FORGE_PAYLOADS ?? join(import.meta.dirname, '../../../../../shared/reference/forge-payloads')
const recorded = ['gitea', 'gogs', 'github', 'gitlab'] as const
type Recorded = (typeof recorded)[number]

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

const eventName = (forge: Recorded, file: string, payload: Json): string => {
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
  if (isTag) return 'tag'
  // GitHub alone always reports a new branch with a push.
  return payload.has('master_branch') ? 'ignored' : 'branch-created'
}

type Fields = Record<string, unknown>

const personFields = (prefix: string, person: Omit<HookPerson, 'id'>): Fields => ({
  [`${prefix}.login`]: person.login,
  [`${prefix}.name`]: person.name,
  [`${prefix}.email`]: person.email,
  [`${prefix}.avatar`]: person.avatar,
})
const goldenPerson = (prefix: string, json: Json): Fields =>
  personFields(prefix, {
    login: json.text('login'),
    name: json.text('name'),
    email: json.text('email'),
    avatar: json.text('avatar'),
  })

/** The fields of the build that Drone makes of the library's result, by its documentation. */
const buildOfGolden = (golden: Json): Fields => {
  const author = (prefix: string, json: Json) => {
    const fields = goldenPerson(prefix, json)
    // A commit's author has no picture: Drone takes the sender's.
    return { ...fields, [`${prefix}.avatar`]: fields[`${prefix}.avatar`] || golden.at('sender').text('avatar') }
  }
  if (golden.has('pullrequest')) {
    const pull = golden.at('pullrequest')
    return {
      title: pull.text('title'),
      message: pull.long('body') || pull.text('title'),
      before: pull.at('base').text('sha'),
      after: pull.text('sha'),
      ref: pull.text('ref'),
      source: pull.text('source'),
      target: pull.text('target'),
      link: pull.text('link'),
      fork: pull.text('fork'),
      merged: pull.flag('merged'),
      number: Number(pull.id('number')),
      ...author('author', pull.at('author')),
    }
  }
  const ref = golden.at('ref')
  if (golden.has('task') || golden.has('data')) {
    return {
      after: ref.text('sha'),
      ref: ref.text('path'),
      source: ref.text('name'),
      target: ref.text('name'),
      message: golden.text('desc'),
      link: golden.text('targeturl'),
      'deployment.id': golden.id('number'),
      'deployment.target': golden.text('target'),
      'deployment.task': golden.text('task'),
      params: golden.raw('data'),
      ...author('author', golden.at('sender')),
    }
  }
  const commit = golden.at('commit')
  if (golden.text('ref')) {
    const full = golden.text('ref')
    const isTag = full.startsWith('refs/tags/')
    const branch = (isTag ? golden.text('baseref') : full).replace('refs/heads/', '')
    return {
      before: golden.text('before'),
      after: commit.text('sha'),
      ref: full,
      source: branch,
      target: branch,
      message: commit.long('message'),
      link: commit.text('link'),
      ...author('author', commit.at('author')),
    }
  }
  const name = ref.text('name')
  return {
    before: '',
    after: ref.text('sha'),
    ref: `refs/tags/${name}`,
    source: name,
    target: name,
    message: '',
    link: '',
    ...author('author', golden.at('sender')),
  }
}

const nameOfRef = (golden: Json): string =>
  (golden.text('ref') || golden.at('ref').text('name')).replace(/^refs\/(?:heads|tags)\//, '')

const fieldsOfGolden = (golden: Json, kind: ForgeEvent['kind']): Fields => {
  const repo = golden.at('repo')
  const action = golden.text('action')
  return {
    'repo.id': repo.text('id'),
    'repo.namespace': repo.text('namespace'),
    'repo.name': repo.text('name'),
    'repo.branch': repo.text('branch'),
    'repo.private': repo.flag('private'),
    'repo.clone': repo.text('clone'),
    'repo.link': repo.text('link'),
    ...goldenPerson('sender', golden.at('sender')),
    ...(kind === 'pull-request' && { action: action === 'merged' ? 'closed' : action }),
    ...(/^branch-|-deleted$/.test(kind) ? { name: nameOfRef(golden) } : buildOfGolden(golden)),
  }
}

const hookFields = (hook: Hook): Fields => ({
  before: hook.before,
  after: hook.after,
  ref: hook.ref,
  source: hook.source,
  target: hook.target,
  message: hook.message,
  link: hook.link,
  ...personFields('author', hook.author ?? expect.fail('no author')),
})

const fieldsOf = (event: ForgeEvent | InvalidHook): Fields => {
  if (!('sender' in event)) return expect.fail(`${event.kind}: no sender`)
  const { repository, sender } = event
  const slug = `${repository.namespace}/${repository.name}`
  const repo = { slug, default_branch: repository.defaultBranch } as Repo
  const common = {
    'repo.id': repository.id,
    'repo.namespace': repository.namespace,
    'repo.name': repository.name,
    'repo.branch': repository.defaultBranch,
    'repo.private': repository.private,
    'repo.clone': repository.cloneUrl,
    'repo.link': repository.link,
    ...personFields('sender', sender),
  }
  switch (event.kind) {
    case 'push':
      return { ...common, ...hookFields(pushHook(event)) }
    case 'tag':
      return { ...common, ...hookFields(tagHook(event)) }
    case 'pull-request': {
      const hook = pullRequestHook(event, repo, event.head, '')
      const { action, merged, number } = event
      return { ...common, action, merged, number, title: hook.title, fork: hook.sourceRepo, ...hookFields(hook) }
    }
    case 'deployment': {
      const { before: _before, ...fields } = hookFields(deploymentHook(event, repo, event.ref))
      const { id, target, task, params } = event
      return {
        ...common,
        ...fields,
        'deployment.id': id,
        'deployment.target': target,
        'deployment.task': task,
        params,
      }
    }
    case 'branch-created':
    case 'branch-deleted':
      return { ...common, name: event.branch }
    case 'tag-deleted':
      return { ...common, name: event.tag }
    default:
      return expect.fail(`${event.kind} has no fields`)
  }
}

/** `isSo`: our value and the library's differ only as the reason says. */
interface Difference {
  forges: readonly Recorded[]
  kinds: readonly ForgeEvent['kind'][]
  fields: readonly string[]
  reason: string
  isSo: (ours: unknown, theirs: unknown, fields: Fields) => boolean
}

const isUnread = (_ours: unknown, theirs: unknown): boolean => theirs === ''

const differences: readonly Difference[] = [
  {
    forges: ['gitea'],
    kinds: ['pull-request'],
    fields: ['before'],
    reason: 'The library does not read the base of a pull request.',
    isSo: isUnread,
  },
  {
    forges: ['gogs'],
    kinds: ['push'],
    fields: ['before'],
    reason: 'The library does not read what a push on Gogs replaces.',
    isSo: isUnread,
  },
  {
    forges: ['github'],
    kinds: ['deployment'],
    fields: ['ref', 'source', 'target'],
    reason: 'The deployment of a commit has no ref: it is fetched by its sha, and conditions see the default branch.',
    isSo: (ours, theirs, fields) => theirs === '' && [fields.after, fields['repo.branch']].includes(ours),
  },
  {
    forges: ['gitlab'],
    kinds: ['tag'],
    fields: ['source', 'target'],
    reason: 'GitLab names no branch of a tag: conditions see the name of the tag, as they do on Gogs.',
    isSo: (ours, theirs, fields) => theirs === '' && fields.ref === `refs/tags/${String(ours)}`,
  },
  {
    forges: ['gitlab'],
    kinds: ['push', 'tag', 'branch-deleted', 'tag-deleted', 'pull-request'],
    fields: ['repo.private'],
    reason: 'The library does not read the visibility level.',
    isSo: (ours) => ours === true,
  },
  {
    forges: ['gitlab'],
    kinds: ['pull-request'],
    fields: ['fork'],
    reason: "The library joins the group's name for display and the project's.",
    isSo: (ours, theirs) => String(ours).split('/').at(-1) === String(theirs).split('/').at(-1),
  },
]

const payloadsOf = (forge: string): string[] =>
  readdirSync(join(folder, forge, 'webhooks')).filter(
    (file) => file.endsWith('.json') && existsSync(join(folder, forge, 'webhooks', `${file}.golden`)),
  )

const parsersOf = (forge: Recorded): readonly ForgeKind[] => (forge === 'gitea' ? ['gitea', 'forgejo'] : [forge])

const casesOf = (isWanted: (forge: Recorded, file: string) => boolean) =>
  existsSync(folder)
    ? recorded.flatMap((forge) =>
        readdirSync(join(folder, forge, 'webhooks'))
          .filter((file) => file.endsWith('.json') && isWanted(forge, file))
          .flatMap((file) => parsersOf(forge).map((kind) => ({ forge, file, kind }))),
      )
    : []

const read = ({ forge, file, kind }: { forge: Recorded; file: string; kind: ForgeKind }) => {
  const body = readFileSync(join(folder, forge, 'webhooks', file))
  const payload = new Json(JSON.parse(body.toString()))
  const name = eventName(forge, file, payload)
  const { event } = parseHook(kind, (header) => (header === `x-${forge}-event` ? name : undefined), body)
  return { payload, event }
}

// Needs the folder of recorded payloads next to the repository.
describe.skipIf(!existsSync(folder))('a recorded payload', () => {
  const used = new Set<Difference>()

  it.each(casesOf((forge, file) => payloadsOf(forge).includes(file)))(
    '$kind: $forge/$file gives what the library says, in every field',
    (one) => {
      const { forge, file } = one
      const goldenText = readFileSync(join(folder, forge, 'webhooks', `${file}.golden`), 'utf8').trim()
      const golden = new Json(lower(goldenText ? JSON.parse(goldenText) : {}))
      const { payload, event } = read(one)
      // The library has no result for this push.
      if (goldenText === '' && payload.text('object_kind') === 'push') return
      expect(event.kind).toBe(kindOf(golden, payload))
      if (event.kind === 'ignored' || event.kind === 'invalid') return
      const ours = fieldsOf(event)
      const theirs = fieldsOfGolden(golden, event.kind)
      expect(Object.keys(ours).toSorted()).toEqual(Object.keys(theirs).toSorted())
      const unexplained = Object.keys(theirs).filter((field) => {
        if (ours[field] === theirs[field] || JSON.stringify(ours[field]) === JSON.stringify(theirs[field])) return false
        const known = differences.find(
          ({ forges, kinds, fields, isSo }) =>
            forges.includes(forge) &&
            kinds.includes(event.kind as ForgeEvent['kind']) &&
            fields.includes(field) &&
            isSo(ours[field], theirs[field], ours),
        )
        if (known) used.add(known)
        return !known
      })
      expect(unexplained.map((field) => [field, ours[field], theirs[field]])).toEqual([])
    },
  )

  it('differs from the library in no way that no payload shows', () => {
    expect(differences.filter((one) => !used.has(one)).map(({ reason }) => reason)).toEqual([])
  })

  it.each(casesOf((forge, file) => !payloadsOf(forge).includes(file)))(
    '$kind: $forge/$file, of which the library says nothing, starts no build',
    (one) => {
      expect(read(one).event.kind).toBe('ignored')
    },
  )
})
