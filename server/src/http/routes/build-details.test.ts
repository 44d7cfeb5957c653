/** What a build was made of, and the lines that its error names. */
import type { Build, BuildDetails } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const builds = '/api/repos/acme/web/builds'
const details = async (number: number): Promise<BuildDetails> => {
  const [status, body] = await app.answer(`${builds}/${number}/details`, { as: 'wes' })
  expect(status).toBe(200)
  return body as BuildDetails
}

it('returns the file at the commit, what its conditions skip, and all copies from anywhere in the family', async () => {
  const { bench } = app
  const text = pipelines({ one: '', ship: 'trigger: {branch: release}' })
  const sha = bench.commit(text)
  await bench.push(sha)
  await bench.push(sha)
  await bench.ci.restart(bench.repo, 1, { debug: false, params: {} }, bench.user)
  await bench.ci.deploy(bench.repo, 3, { event: 'promote', target: 'x', params: { A: 'b' } }, bench.user)
  for (const number of [1, 3, 4]) {
    const { file, attempts, left_out: left } = await details(number)
    expect(file).toEqual({ path: '.drone.yml', commit: sha, text })
    expect(left).toEqual([{ name: 'ship', text: 'branch is not release' }])
    expect(attempts.map((build) => [build.number, build.parent, build.stages])).toEqual([
      [4, 3, undefined],
      [3, 1, undefined],
      [1, undefined, undefined],
    ])
  }
  expect((await details(2)).attempts.map(({ number }) => number)).toEqual([2])
})

it('shows the beginning of a very long file, and no more of a very long family than people read @system', async () => {
  const { bench } = app
  const text = `${pipelines({ one: '' })}# ${'x'.repeat(60_000)}\n`.padEnd(300_000, '# more\n')
  await bench.push(bench.commit(text))
  for (let number = 1; number < 60; number++)
    await bench.ci.restart(bench.repo, number, { debug: false, params: {} }, bench.user)
  const { file, attempts } = await details(60)
  expect([file?.cut, file?.text]).toEqual([true, text.slice(0, 200_000)])
  expect(attempts.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, index) => 60 - index))
})

it('needs read access to the repository', async () => {
  const { bench } = app
  await bench.push(bench.commit(pipelines({ one: '' })))
  expect((await app.answer(`${builds}/1/details`, {}))[0]).toBe(401)
  expect((await app.answer(`${builds}/9/details`, { as: 'wes' }))[0]).toBe(404)
})

it('carries the line that the linter means, which the words of its error do not name @system', async () => {
  const { bench } = app
  await bench.push(bench.commit('kind: pipeline\nname: a\nsteps: []\ndepends_on:\n- b\n'))
  const [, one] = await app.answer(`${builds}/1`, { as: 'wes' })
  expect(one).toMatchObject({
    error: 'linter: invalid or unknown pipeline dependency: "a" depends on "b", but no pipeline has this name',
    excerpts: [{ line: 5, lines: [{}, {}, {}, { number: 5, text: '- b' }] }],
  })
})

it('carries the lines of a file that cannot be read, in the answer to one build only @system', async () => {
  const { bench } = app
  await bench.push(bench.commit('kind: pipeline\nname: a\nsteps: 7\n'))
  const [, one] = await app.answer(`${builds}/1`, { as: 'wes' })
  const lines = ['kind: pipeline', 'name: a', 'steps: 7'].map((text, at) => ({ number: at + 1, text }))
  expect((one as Build).excerpts).toEqual([{ line: 3, lines }])
  const [, list] = await app.answer(builds, { as: 'wes' })
  expect((list as Build[])[0]).not.toHaveProperty('excerpts')
  expect((await details(1)).file?.text).toContain('steps: 7')
})

it('returns the pipeline file that was approved last, while stages wait @system', async () => {
  const { bench } = app
  await app.changeRepo({ protected: true })
  const before = pipelines({ one: '' })
  await bench.push(bench.commit(before))
  expect((await details(1)).approved).toBeUndefined()
  await bench.push(bench.commit(pipelines({ two: '' })))
  await bench.ci.approve(bench.repo, 1, 1, bench.user)
  expect((await details(2)).approved).toEqual({ build: 1, text: before })
  expect((await details(1)).approved).toBeUndefined()
  await bench.ci.decline(bench.repo, 2, undefined, bench.user)
  expect((await details(2)).approved).toBeUndefined()
})
