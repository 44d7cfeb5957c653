import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lint } from '../../pipeline/lint.ts'
import { lintExec } from '../../pipeline/lint-exec.ts'
import { parsePipelines } from '../../pipeline/parse.ts'
import { createGit } from '../git/git.ts'
import { discover } from '../repositories/discover.ts'
import { makeSample, sampleRepositoryPath } from './sample.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'flightdeck-sample-'))
})
afterEach(() => rmSync(data, { recursive: true }))

test('creates a real repository once, with a valid pipeline file', async () => {
  expect(await makeSample(data)).toBe(true)
  const { folder, path } = sampleRepositoryPath(data)
  const git = await createGit({ dataDir: data, own: [path] })
  expect(await discover([folder], (where, folders) => git.refusal(where, folders))).toEqual({
    found: [{ namespace: 'sample', name: 'hello', path, defaultBranch: 'main' }],
    problems: [],
  })
  const head = (await git.resolve(path, 'main')) ?? ''
  expect((await git.commit(path, head)).parent).not.toBe('')
  const { pipelines } = parsePipelines((await git.readFile(path, head, '.drone.yml')) ?? '')
  lint(pipelines)
  for (const doc of pipelines) lintExec(doc)
  expect(pipelines.map(({ name, depends_on: after }) => [name, after])).toEqual([
    ['test', []],
    ['soak', []],
    ['report', ['test', 'soak']],
  ])
  expect(await makeSample(data)).toBe(false)
})
