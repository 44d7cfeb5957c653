import { createCipheriv, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findRepo, findRepoInternals, updateRepo } from '../store/repos.ts'
import { createOrgSecret, createSecret } from '../store/secrets.ts'
import { prepareStage } from '../runner/prepare.ts'
import { secretFinder } from '../runner/secrets.ts'
import { openBench, type Bench } from '../testing/test-bench.ts'
import type { Hook } from '../interfaces/hook.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
  const { repo } = bench
  // Pull requests of a trusted repository need no approval.
  await updateRepo(bench.db, { ...((await findRepo(bench.db, repo.id)) ?? repo), trusted: true })
})
afterEach(() => bench.close())

async function sealedForFile(value: string): Promise<string> {
  const key = (await findRepoInternals(bench.db, bench.repo.id))?.secret ?? ''
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]).toString('base64')
}
const file = (inline = '') => `kind: pipeline\ntype: exec\nname: default\nsteps: []\n${inline}`

/** What `from_secret` finds in a build of this hook. */
async function seen(config: string, hook: Partial<Hook>, ...names: string[]): Promise<string[]> {
  await bench.push(bench.commit(config), hook)
  const stage = await bench.take()
  const { secrets } = await prepareStage(bench.files, await bench.ci.runners.details(stage.id), bench.clock.now)
  await bench.endStage(stage)
  return names.map(secretFinder(secrets))
}
const push = {}
const request = { event: 'pull_request', ref: 'refs/pull/7/head' } as const
const fork = { ...request, sourceRepo: 'eve/web' } as const

describe('what from_secret finds', () => {
  beforeEach(async () => {
    const { db, repo } = bench
    await createSecret(db, repo.id, { name: 'Own', data: '1' })
    await createSecret(db, repo.id, { name: 'both', data: 'of the repository' })
    await createSecret(db, repo.id, { name: 'open', data: '2', pull_request: true })
    await createOrgSecret(db, 'acme', { name: 'shared', data: '3' })
    await createOrgSecret(db, 'ACME', { name: 'both', data: 'of the organisation', pull_request: true })
    await createOrgSecret(db, 'other', { name: 'foreign', data: '4' })
  })
  const names = ['own', 'SHARED', 'both', 'open', 'foreign', 'nothing']

  test('in a push: the repository’s, then its organisation’s, in any case', async () => {
    expect(await seen(file(), push, ...names)).toEqual(['open 1', 'open 3', 'open of the repository', 'open 2', '', ''])
  })

  test('in a pull request: only those that say so, of either @system', async () => {
    expect(await seen(file(), request, ...names)).toEqual(['', '', 'open of the organisation', 'open 2', '', ''])
  })
})

describe('secrets that are too large to be hidden end the stage before its first step', () => {
  test('one that was set before there was a limit', async () => {
    await createSecret(bench.db, bench.repo.id, { name: 'Large', data: 'x'.repeat(65_537) })
    await expect(seen(file(), push)).rejects.toThrow(
      'secret "Large": Invalid Secret Value: it has more than 65,536 bytes',
    )
  })

  test('one in the file @system', async () => {
    const sealed = await sealedForFile('line\n'.repeat(2_000))
    const inline = file(`---\nkind: secret\nname: lines\ndata: ${sealed}\n`)
    await expect(seen(inline, push)).rejects.toThrow(
      'secret "lines": Invalid Secret Value: it has more than 2,000 lines',
    )
  })

  test('all of them together @system', async () => {
    for (let index = 0; index < 17; index += 1)
      await createSecret(bench.db, bench.repo.id, { name: `s${index}`, data: 'x'.repeat(64_000) })
    await expect(seen(file(), push)).rejects.toThrow('at most 1048576 can be masked in a log')
  })
})

describe('a secret in the file', () => {
  const inline = async () => file(`---\nkind: secret\nname: inline\ndata: ${await sealedForFile('hidden')}\n`)
  const open = async (isOpen: boolean) =>
    updateRepo(bench.db, {
      ...((await findRepo(bench.db, bench.repo.id)) ?? bench.repo),
      private: !isOpen,
      visibility: isOpen ? 'public' : 'private',
    })

  test('is opened with the key of the repository, and comes last', async () => {
    const config = await inline()
    expect(await seen(config, push, 'INLINE')).toEqual(['hidden'])
    await createSecret(bench.db, bench.repo.id, { name: 'inline', data: 'stored' })
    expect(await seen(config, push, 'inline')).toEqual(['open stored'])
  })

  test('that was sealed for another repository is not there', async () => {
    expect(
      await seen(file('---\nkind: secret\nname: inline\ndata: bm90IHNlYWxlZCBhdCBhbGwsIG5vdCBldmVu\n'), push, 'inline'),
    ).toEqual([''])
  })

  test('is withheld from a stranger’s pull request, whether the repository is open or not @system', async () => {
    const config = await inline()
    await open(true)
    expect(await seen(config, fork, 'inline')).toEqual([''])
    expect(await seen(config, request, 'inline')).toEqual(['hidden'])
    await open(false)
    expect(await seen(config, fork, 'inline')).toEqual([''])
    expect(await seen(config, request, 'inline')).toEqual(['hidden'])
  })
})

test('a thousand variables read each secret once', () => {
  let reads = 0
  const secrets = Array.from({ length: 1_000 }, (_, index) => ({
    data: `${index}`,
    get name() {
      reads += 1
      return `Name${index}`
    },
  }))
  const find = secretFinder(secrets)
  expect(secrets.map((_, index) => find(`nAME${index}`))).toEqual(secrets.map(({ data }) => data))
  expect(find('name')).toBe('')
  expect(reads).toBe(1_000)
})
