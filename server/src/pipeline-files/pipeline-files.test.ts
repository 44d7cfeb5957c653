import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { workerScript } from '../testing/bundles.ts'
import { createPipelineFiles, type PipelineFiles, type PipelineFilesOptions } from './pipeline-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'flightdeck-worker-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files: PipelineFiles
afterEach(() => files.close())
const open = (options: Partial<PipelineFilesOptions> = {}) => {
  files = createPipelineFiles({ script: workerScript, ...options })
  return files
}

/** Writes a worker program with this message handler, to simulate faults. */
function strange(body: string): string {
  const script = join(folder, `${body.length}.mjs`)
  writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ text }) => { ${body} })
parentPort.postMessage('ready')`,
  )
  return script
}
/** A handler that runs `harm` for texts with `word`, and returns all other texts unchanged. */
const unless = (word: string, harm: string) =>
  `if (text.includes('${word}')) { ${harm} } parentPort.postMessage(JSON.stringify({ answer: text }))`

const file = 'kind: pipeline\ntype: exec\nname: one\nsteps: [{name: a, commands: [make]}]\n'
const input = { branch: 'main', event: 'push', action: '', ref: 'refs/heads/main', repo: 'a/b', target: '', cron: '' }
const plan = (text: string, repoId = 1) => files.plan(repoId, { text, input, gate: 'open', secret: '' })
const sign = (text: string, repoId = 1) => files.sign(repoId, { text, secret: 'x'.repeat(32) })

test('reports the file in which lines are counted if a variable may have moved them', async () => {
  open()
  const prepare = (text: string) =>
    files.prepare(1, { text, stage: 'one', variables: {}, input: { ...input, instance: '' } }).then(
      () => '',
      (error: Error) => error.message,
    )
  const note = 'was replaced)'
  const broken = (value: string) => [file, 'environment:\n  A: ', value, ' y\n  - z\n'].join('')
  const [first, second] = ['{B:-x\n}', '{B:-x}'].map((expression) => broken(`$${expression}`))
  expect(await prepare(first ?? '')).toContain(note)
  expect(await prepare(second ?? '')).toMatch(/line \d+/)
  expect(await prepare(second ?? '')).not.toContain(note)
})

test('plans, prepares and signs', async () => {
  open()
  expect(await plan(file)).toMatchObject({ stages: [{ number: 1, name: 'one', type: 'exec', status: 'pending' }] })
  const variables = { WHAT: 'test' }
  const text = file.replace('make', 'make ${WHAT}')
  const steps = await files.prepare(1, { text, stage: 'one', variables, input: { ...input, instance: '' } })
  expect(steps.steps.map(({ name, commands }) => [name, commands])).toEqual([
    ['clone', []],
    ['a', ['make test']],
  ])
  expect(await sign(file)).toMatch(/^[0-9a-f]{64}$/)
  await expect(plan('steps: []')).rejects.toThrow('yaml: missing kind attribute')
  await expect(files.prepare(1, { text, stage: 'two', variables, input: { ...input, instance: '' } })).rejects.toThrow(
    'resource not found',
  )
})

test('a valid signature makes the approval unnecessary, an invalid one does not @system', async () => {
  open()
  const secret = 'x'.repeat(32)
  const hmac = await sign(file)
  const signed = (value: string) => `${file}---\nkind: signature\nhmac: ${value}\n`
  const statusOf = async (text: string, gate: 'open' | 'closed' | 'open if signed', key = secret) =>
    (await files.plan(1, { text, input, gate, secret: key })).stages[0]?.status
  expect(await statusOf(signed(hmac), 'open if signed')).toBe('pending')
  expect(await statusOf(signed(hmac.replace(/./, 'z')), 'open if signed')).toBe('blocked')
  expect(await statusOf(signed(hmac), 'closed')).toBe('blocked')
  expect(await statusOf(file, 'open if signed')).toBe('blocked')
  expect(await statusOf(file, 'open')).toBe('pending')
  const empty = await files.sign(1, { text: file, secret: '' })
  expect(await statusOf(signed(empty), 'open if signed', '')).toBe('blocked')
})

test('a file that takes too long fails, is not tried again, and its thread is replaced @system', async () => {
  open({ script: strange(unless('slow', 'for (;;) {}')), time: 200, threads: 1 })
  await expect(sign('slow')).rejects.toThrow('yaml: the file takes too long to read (more than 0.2 seconds)')
  expect(await sign('quick')).toBe('quick')
  const again = sign('slow', 2)
  // Queued after the quick file. A second attempt would replace the thread again.
  await expect(again).rejects.toThrow('too long')
})

test('a file that takes too much memory fails, and its thread is replaced', async () => {
  const harm = 'const all = []; for (;;) all.push(new Array(1000).fill(all.length))'
  open({ script: strange(unless('large', harm)), memory: 32, time: 60_000, threads: 1 })
  await expect(sign('large')).rejects.toThrow('yaml: the file takes too much memory to read (more than 32 MB)')
  expect(await sign('quick')).toBe('quick')
})

test('a thread that exits or throws fails only its current job @system', async () => {
  open({ script: strange(unless('end', 'process.exit(3)')), threads: 1 })
  await expect(sign('end')).rejects.toThrow('the pipeline file worker ended')
  expect(await sign('quick')).toBe('quick')
  await files.close()
  open({ script: strange(unless('throw', "throw new Error('a fault')")), threads: 1 })
  await expect(sign('throw')).rejects.toThrow('a fault')
  expect(await sign('quick')).toBe('quick')
})

test('a slow repository does not block others', async () => {
  open({ script: strange(unless('slow', 'for (;;) {}')), time: 60_000 })
  const slow = sign('slow')
  slow.catch(() => {})
  expect(await Promise.all([2, 3, 4].map((repoId) => sign('quick', repoId)))).toEqual(['quick', 'quick', 'quick'])
  await files.close()
  await expect(slow).rejects.toThrow('ended')
  await expect(sign('quick', 5)).rejects.toThrow('the server is stopping')
})

test('a signature is refused with 429 while too many are waiting', async () => {
  open({ script: strange(unless('slow', 'for (;;) {}')), time: 60_000 })
  const waiting = Array.from({ length: 11 }, () => sign('slow'))
  for (const each of waiting) each.catch(() => {})
  await expect(sign('one more')).rejects.toMatchObject({ status: 429 })
  expect(await sign('of another repository', 2)).toBe('of another repository')
})

test('the size of a result is limited, even if anchors multiply it @system', async () => {
  open()
  const name = 'x'.repeat(1_000)
  const commands = `commands: [${'*n, '.repeat(50)}]`
  const many = Array.from({ length: 50 }, (_, index) => `- {name: s${index}, ${commands}}\n`).join('')
  const text = `kind: pipeline\ntype: exec\nname: &n ${name}\nclone: {disable: true}\nsteps:\n- name: *n\n${many}`
  await expect(
    files.prepare(1, { text, stage: name, variables: {}, input: { ...input, instance: '' } }),
  ).rejects.toThrow('yaml: the file expands to too much: more than 1000000 characters of steps')
  const longName = text.replace(name, 'x'.repeat(60_000))
  await expect(plan(longName)).rejects.toThrow('yaml: document contains excessive aliasing')
  await expect(plan('x'.repeat(1_000_001))).rejects.toThrow('yaml: the file is larger than 1000000 characters')
})

const head = 'kind: pipeline\ntype: exec\nname: a\n'
const before = `# a comment\n${head}steps: []\n---\nkind: secret\nname: s\ndata: x\n---\n`
test.each([
  ['a pipeline nobody has', `${head}steps: []\ndepends_on:\n- b\n`, '- b'],
  ['itself', `${head}depends_on: [a] # this\n`, 'depends_on: [a] # this'],
  ['a name twice, beyond other documents', `${before}${head.replace('name: a', 'name: a # again')}`, 'name: a # again'],
  [
    'a pipeline without a name',
    `${head.replace('a\n', 'default\n')}---\nkind: pipeline # here\n`,
    'kind: pipeline # here',
  ],
  ['a strange system', 'kind: pipeline\nplatform:\n  os: plan9\n', '  os: plan9'],
  ['a strange machine', 'kind: pipeline\nplatform:\n  arch: mips\n', '  arch: mips'],
  ['no kind', `${head}---\nname: b\n`, 'name: b'],
  ['a template', '# x\nkind: template\nload: a\n', 'kind: template'],
  ['the old format', '# x\npipeline:\n  build: {}\n', 'pipeline:'],
  ['an anchor that is none', `${before}${head}steps: *nothing\n`, 'steps: *nothing'],
  ['what cannot be merged', `${head}environment:\n  <<: 7\n`, '  <<: 7'],
])('finds the line of an error that names none: %s', async (_what, text, line) => {
  open()
  const error = await plan(text).then(
    () => 'none',
    (thrown: Error) => thrown.message,
  )
  expect(error).not.toMatch(/line \d+:/)
  const found = await files.locate(1, { text, error })
  expect(text.split('\n')[(found ?? 0) - 1]).toBe(line)
})

test.each([
  ['an image', '- name: x\n  image: node\n', '  image: node'],
  ['a step without a name', '- name: x\n- commands: [make]\n', '- commands: [make]'],
  ['a name twice', '- name: x\n- name: y\n- name: x # again\n', '- name: x # again'],
  ['a step nobody has', '- name: x\n  depends_on: [clone]\n- name: y\n  depends_on:\n  - x\n  - z\n', '  - z'],
  ['a circle', '- name: x\n  depends_on: [y]\n- name: y\n  depends_on: [x]\n', '  depends_on: [y]'],
])('finds the line of what the runner refuses in a stage: %s', async (_what, steps, line) => {
  open()
  const text = `${before}${head.replace('name: a', 'name: b')}steps:\n${steps}`
  const error = await files.prepare(1, { text, stage: 'b', variables: {}, input: { ...input, instance: '' } }).then(
    () => 'none',
    (thrown: Error) => thrown.message,
  )
  const found = await files.locate(1, { text, error, stage: 'b' })
  expect(text.split('\n')[(found ?? 0) - 1]).toBe(line)
})

test('finds no line for an error that the file does not cause, or that has no line', async () => {
  open()
  const text = `${head}depends_on: [b]\n`
  expect(await files.locate(1, { text, error: 'linter: duplicate pipeline names' })).toBeNull()
  expect(await files.locate(1, { text: file, error: 'resource not found', stage: 'two' })).toBeNull()
  expect(await files.locate(1, { text: 'x'.repeat(1_000_001), error: 'yaml' })).toBeNull()
})

test('returns the commands of the requested stages as written, up to a limit', async () => {
  open()
  const stage = (name: string, commands: string[]) =>
    JSON.stringify({
      kind: 'pipeline',
      type: 'exec',
      name,
      environment: { LEVEL: '1' },
      steps: [{ name: 'a', environment: { KEY: { from_secret: 'key' } }, commands }],
    })
  const text = [
    stage('one', ['make ${DRONE_TAG}']),
    stage('two', ['x'.repeat(60_000), 'last']),
    stage('three', ['no']),
  ].join('\n---\n')
  const [one, two, ...others] = (await files.commands(1, { text, stages: ['one', 'two'] })) ?? []
  const environment = { LEVEL: '1', KEY: { from_secret: 'key' } }
  expect(one).toEqual({ stage: 'one', steps: [{ name: 'a', commands: ['make ${DRONE_TAG}'], environment }] })
  expect(two?.cut).toBe(true)
  expect(JSON.stringify(two).length).toBeLessThan(51_000)
  expect(others).toEqual([])
  expect(await files.commands(1, { text: 'steps: [', stages: ['one'] })).toBeNull()
})
