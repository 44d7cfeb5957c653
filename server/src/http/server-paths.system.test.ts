/**
 * No response names a folder of the server, whatever is wrong with the repository or with the
 * stored data.
 */
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '@flightdeck/api/endpoints'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp
let sha: string
beforeEach(async () => {
  app = await createTestApp()
  sha = app.bench.source.commit({ '.drone.yml': config, src: 'x' }, 'First')
  await app.answer('/api/repos/acme/web/builds', { as: 'ann', method: 'POST' })
})
afterEach(() => app.close())

const config = 'kind: pipeline\ntype: exec\nname: default\nsteps: [{name: a, commands: [echo a]}]\n'

/** Calls that read, or that start a build; streams do not end. */
const calls = Object.values(endpoints)
  .map(({ call }) => call)
  .filter((call) => !call.includes('stream') && !call.startsWith('DELETE '))

const values: Readonly<Record<string, string>> = {
  owner: 'acme',
  name: 'web',
  namespace: 'acme',
  login: 'rae',
  user: 'rae',
}

function pathOf(call: string): string {
  const path = call.slice(call.indexOf(' ') + 1)
  const filled = path
    .replaceAll(/:(\w+)/g, (_, name: string) => (name === 'sha' ? sha : (values[name] ?? '1')))
    .replace('*', `${sha}...${sha}`)
  const query = new URLSearchParams({
    commit: sha,
    base: sha,
    head: sha,
    path: 'src',
    target: 'x',
    text: 'a',
    branch: 'main',
  })
  return `${filled}?${query}`
}

const damages: Record<string, () => void | Promise<void>> = {
  'is intact': () => {},
  'has a commit of more than 2 MB'() {
    writeFileSync(join(app.bench.dir, 'message'), 'x'.repeat(2 * 1024 * 1024))
    app.bench.source.git('commit', '-q', '--allow-empty', '-F', join(app.bench.dir, 'message'))
    sha = app.bench.source.git('rev-parse', 'HEAD')
  },
  'is gone': () => renameSync(app.bench.source.path, `${app.bench.source.path}-away`),
  'is a file'() {
    renameSync(app.bench.source.path, `${app.bench.source.path}-away`)
    writeFileSync(app.bench.source.path, '')
  },
  'has no objects': () => rmSync(join(app.bench.source.path, '.git/objects'), { recursive: true }),
  'has damaged objects'() {
    const file = join(app.bench.source.path, '.git/objects', sha.slice(0, 2), sha.slice(2))
    chmodSync(file, 0o644)
    writeFileSync(file, 'x')
  },
  'has a list of refs that is none': () =>
    writeFileSync(join(app.bench.source.path, '.git/packed-refs'), 'x\n'.repeat(9)),
  'has a folder for a file of the server'() {
    for (const name of ['logs', 'git']) rmSync(join(app.bench.dir, name), { recursive: true, force: true })
    for (const name of ['logs', 'git'])
      if (!existsSync(join(app.bench.dir, name))) writeFileSync(join(app.bench.dir, name), '')
  },
}

it.each(Object.keys(damages))('no answer names a folder of the server where a repository %s', async (damage) => {
  await damages[damage]?.()
  const found: string[] = []
  for (const call of calls) {
    const method = call.startsWith('ALL') ? 'GET' : call.slice(0, call.indexOf(' '))
    for (const as of ['ann', 'rae'] as const) {
      const response = await app.request(pathOf(call), { as, method, ...(method !== 'GET' && { json: {} }) })
      const text = await response.text()
      if (text.includes(app.bench.dir)) found.push(`${call}: ${text.slice(0, 300)}`)
    }
  }
  expect(found).toEqual([])
})
