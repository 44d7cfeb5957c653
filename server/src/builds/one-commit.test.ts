/** Forty tags on one commit are forty builds of one file. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parsePipelines } from '../pipeline/parse.ts'
import { countQueries } from '../testing/count-queries.ts'
import { createConfigTexts } from './pipeline-config-cache.ts'
import { createJobs, type PlanJob } from '../pipeline-files/jobs.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'
import type { HookSource } from '../interfaces/hook.ts'

const count = countQueries()
let bench: Bench
beforeAll(async () => {
  bench = await openBench({ plugin: count, mergeMs: 60_000 })
})
afterAll(() => bench.close())

const tags = Array.from({ length: 40 }, (_, index) => `refs/tags/v${index}`)

test('git reads the file once', async () => {
  const read: string[] = []
  const source: HookSource = {
    git: {
      ...bench.git,
      readFile: (path, sha, file) => {
        read.push(`${sha} ${file}`)
        return bench.git.readFile(path, sha, file)
      },
    },
    take: () => Promise.resolve(true),
  }
  const push = (sha: string, ref: string) => {
    const hook = { event: 'tag', trigger: '@hook', source: 'v', target: 'v', before: '', message: 'change' } as const
    return bench.ci.trigger(bench.repo.id, { ...hook, ref, after: sha }, source)
  }
  const sha = bench.commit(pipelines({ one: '' }))
  for (const ref of tags) expect((await push(sha, ref))?.after).toBe(sha)
  expect(read).toEqual([`${sha} .drone.yml`])
  // Another commit has another file.
  const other = bench.commit(pipelines({ two: '' }))
  const build = await push(other, 'refs/tags/other')
  expect((await bench.build(build?.number ?? 0)).stages.map(({ name }) => name)).toEqual(['two'])
  expect(read).toEqual([`${sha} .drone.yml`, `${other} .drone.yml`])
})

test('its YAML is read once', () => {
  let parsed = 0
  const answer = createJobs((text) => {
    parsed += 1
    return parsePipelines(text)
  })
  const answers = tags.map((ref, index) => {
    const input = { branch: 'main', event: 'tag', action: '', ref, repo: 'a/b', target: '', cron: '' }
    const job: PlanJob = { kind: 'plan', text: pipelines({ one: '' }), input, gate: 'open', secret: `${index}` }
    return JSON.parse(answer(job)) as { answer: { stages: { name: string }[] } }
  })
  expect(new Set(answers.map(({ answer: { stages } }) => stages.map(({ name }) => name).join()))).toEqual(
    new Set(['one']),
  )
  expect(parsed).toBe(1)
})

test('the cache is limited, and holds no missing or failed file', async () => {
  const texts = createConfigTexts(3_000)
  const read: string[] = []
  const ask = (sha: string, text: string | null, more: { repoId?: number; path?: string } = {}) =>
    texts.of({ repoId: 1, path: 'a', sha, ...more }, () => {
      read.push(sha)
      return text === 'fails' ? Promise.reject(new Error(text)) : Promise.resolve(text)
    })
  await expect(ask('bad', 'fails')).rejects.toThrow('fails')
  expect(await ask('bad', null)).toBeNull()
  expect(await ask('bad', 'good')).toBe('good')
  expect(await ask('bad', 'other')).toBe('good')
  expect(await ask('bad', 'theirs', { repoId: 2 })).toBe('theirs')
  expect(await ask('bad', 'elsewhere', { path: 'b' })).toBe('elsewhere')
  expect(read).toEqual(Array.from({ length: 5 }, () => 'bad'))
  // 500 bytes each in addition to the text: the least recently used entry is evicted.
  for (const sha of ['1', '2', '3']) await ask(sha, 'x'.repeat(400))
  await ask('1', 'again')
  await ask('4', 'x'.repeat(400))
  read.length = 0
  for (const sha of ['1', '4', '3', '2']) await ask(sha, 'x')
  expect(read).toEqual(['2'])
  // A concurrent call waits for the same result.
  expect(await Promise.all([ask('5', 'one'), ask('5', 'two')])).toEqual(['one', 'one'])
})

test('a build that changes a hundred times within a moment is read once for all of them @system', async () => {
  await bench.push(bench.commit(pipelines({ one: '' })))
  const names = Array.from({ length: 100 }, (_, index) => `step ${index}`)
  const stage = await bench.take(names)
  count.clear()
  for (const step of stage.steps) await bench.endStep(step, 'skipped')
  // Each reported step is read alone; the whole build was just published and is not read again.
  expect(count.of('select steps').maxRows).toBe(1)
  expect(count.of('select steps').queries).toBeGreaterThanOrEqual(100)
})
