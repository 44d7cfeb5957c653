import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findConfig } from '../store/builds.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

/** Merges of merges: 3 to the power of 30 keys. */
const exploding = [
  'kind: pipeline',
  'l0: &l0 {a: b}',
  ...Array.from({ length: 30 }, (_, i) => `l${i + 1}: &l${i + 1} {<<: [*l${i}, *l${i}, *l${i}]}`),
  'steps: [*l30]',
].join('\n')

describe('a pipeline file that means harm makes an error build that says why', () => {
  it.each([
    ['10 MB', `# ${'x'.repeat(98)}\n`.repeat(100_000), 'yaml: the file is larger than 1000000 characters'],
    ['more than git is asked for', 'x'.repeat(17 * 1024 * 1024), 'configuration: git cannot read'],
    ['10,000 stages', '---\nkind: pipeline\n'.repeat(10_000), 'yaml: the file has more than 1000 documents'],
    ['exploding anchors', exploding, 'yaml: document contains excessive aliasing'],
    ['an anchor within itself', 'kind: pipeline\nplatform: &a\n  <<: *a\n', "yaml: an anchor's value contains itself"],
    ['a circle of stages', pipelines({ a: 'depends_on: [b]', b: 'depends_on: [a]' }), 'linter: invalid or unknown'],
    ['a stage that waits for itself', pipelines({ a: 'depends_on: [a]' }), 'linter: pipeline cannot have a dependency'],
    ['100,000 brackets', '['.repeat(60_000), 'yaml: '],
    ['a template', 'kind: template\nload: x.yaml\n', 'template converter: templates are not supported'],
    ['the 0.8 format', 'pipeline:\n  build:\n    image: node\n', 'yaml: the Drone 0.8 format is not supported'],
  ])('%s', async (_what, config, message) => {
    const build = await bench.push(bench.commit(config))
    expect(build).toMatchObject({ status: 'error', error: expect.stringContaining(message) })
    expect(build?.finished).toBe(build?.created)
    expect((build?.error ?? '').length).toBeLessThan(1_000)
  })

  it('and keeps no file that is too large for any use', async () => {
    const build = await bench.push(bench.commit(`# ${'x'.repeat(98)}\n`.repeat(20_000)))
    expect(await findConfig(bench.db, build?.id ?? 0)).toBeNull()
  })
})

it('1,000 stages are fine', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `p${index}`)
  const build = await bench.push(bench.commit(pipelines(Object.fromEntries(names.map((name) => [name, ''])))))
  expect(build?.status).toBe('pending')
  expect((await bench.build(build?.number ?? 0)).stages).toHaveLength(1_000)
  await bench.ci.cancel(bench.repo, build?.number ?? 0, bench.user)
})
