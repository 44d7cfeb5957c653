/** A script that runs a step elsewhere, run by a real shell in a real clone. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let folder: string
beforeEach(async () => {
  app = await createTestApp()
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-script-'))
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
  rmSync(folder, { recursive: true })
})

const scriptOf = async (step: number, number = 1): Promise<string> => {
  const [status, body] = await app.answer(`/api/repos/acme/web/builds/${number}/script/1/${step}`, { as: 'wes' })
  expect([status, body]).toEqual([200, { text: expect.any(String) }])
  return (body as { text: string }).text
}
const run = (script: string, more: Record<string, string> = {}) => {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: folder, TMPDIR: folder, ...more }
  return spawnSync('/bin/sh', ['-c', script], { cwd: app.bench.source.path, env, encoding: 'utf8' })
}
/** Runs what `steps` say and fails the last of them. */
async function built(config: string, steps: string[], params: Record<string, string> = {}, message = 'change') {
  const { bench } = app
  const sha = bench.commit(config, message)
  await bench.push(sha, { params, message })
  const stage = await bench.take(steps)
  for (const step of stage.steps.slice(0, -1)) await bench.endStep(await bench.runStep(step))
  await bench.endStage({ ...stage, steps: stage.steps.slice(-1) }, 'failure')
  return sha
}
const exec = `kind: pipeline
type: exec
name: unit
environment: {FROM_ALL: shared}
steps:
- name: install
  commands: [touch made]
- name: test
  environment: {TOKEN: {from_secret: npm_token}, FROM_ALL: own}
  commands:
  - git rev-parse HEAD
  - echo "$FROM_ALL/$DRONE_BUILD_NUMBER/$LEVEL/$DRONE_STEP_NAME/\${DRONE_BRANCH}/$DRONE_BUILD_STATUS"
  - echo "token=$TOKEN"
  - exit 3
  - echo never
`

it('checks the commit out and runs the commands of the step with its variables, and ends as the step did', async () => {
  const sha = await built(exec, ['clone', 'install', 'test'], { LEVEL: "it's $(id) `id`" })
  // Later failures are not part of the step's state.
  app.bench.commit('nothing: here\n')
  const script = await scriptOf(3)
  const { status, stdout, stderr } = run(script, { TOKEN: 'mine' })
  expect(stderr).not.toContain('TOKEN is empty')
  expect(stdout.split('\n').filter((line) => !line.startsWith('+ '))).toEqual([
    sha,
    "own/1/it's $(id) `id`/test/main/success",
    'token=mine',
    '',
  ])
  expect(status).toBe(3)
  expect(script).toContain('# Earlier steps that this one may depend on: install\n')
})

it('names secrets and never contains a value', async () => {
  await app.answer('/api/repos/acme/web/secrets', {
    as: 'ann',
    method: 'POST',
    json: { name: 'npm_token', data: 'very secret value' },
  })
  await built(exec, ['clone', 'install', 'test'])
  const script = await scriptOf(3)
  expect(script).toContain('# The secret npm_token: set TOKEN before you run this.')
  expect(script).not.toContain('very secret value')
  expect(run(script).stderr).toContain('TOKEN is empty: it is the secret npm_token')
})

it('quotes all untrusted text: messages, names, parameters, images @system', async () => {
  const evil = "x'; touch pwned; echo '\n$(touch pwned)`touch pwned`\n"
  const yaml = (text: string) => JSON.stringify(text)
  const config = `kind: pipeline
type: exec
name: ${yaml(`unit\n${evil}`)}
steps:
- name: ${yaml(`a\ntouch pwned\n${evil}`)}
  environment: {"A-B; touch pwned": x, GOOD: ${yaml(evil)}, S: {from_secret: ${yaml(evil)}}}
  commands: ['true']
`
  await built(config, [`a\ntouch pwned\n${evil}`], { 'P; touch pwned': '1', PATH: '/nowhere', N: evil }, `m ${evil}`)
  const { status, stderr } = run(await scriptOf(1))
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('not found')])
  const found = execFileSync('find', [folder, app.bench.source.path, '-name', 'pwned'], { encoding: 'utf8' })
  expect(found).toBe('')
})

it('runs the steps of docker pipelines in their image, and takes no image for an option @system', async () => {
  const docker = (image: string) =>
    exec.replace('type: exec', 'type: docker').replace('- name: test', `- name: test\n  image: ${image}`)
  const { bench } = app
  for (const image of ['node:20', '"-v/:/host"']) await bench.push(bench.commit(docker(image)))
  for (const number of [1, 2]) {
    const { id } = (await bench.build(number)).stages[0] ?? { id: 0 }
    const stage = await bench.ci.runners.accept(id, 'elsewhere')
    const steps = ['install', 'test'].map((name, index) => ({
      id: 0,
      step_id: id,
      number: index + 1,
      name,
      status: 'failure' as const,
      exit_code: 1,
      started: 1,
      stopped: 2,
      version: 0,
    }))
    await bench.ci.runners.updateStage({ ...stage, status: 'failure', steps })
  }
  expect(await scriptOf(2)).toMatch(
    /^docker run --rm -v "\$PWD:\/drone\/src" .* -e TOKEN .*--entrypoint \/bin\/sh 'node:20' -c /m,
  )
  const odd = await scriptOf(2, 2)
  expect(odd).toContain('# -v/:/host is not a valid image name\n')
  expect(odd).not.toMatch(/^docker/m)
})

it('loads no file of the commit into the programs here, and asks no docker elsewhere @system', async () => {
  const hostile = ['LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'DOCKER_HOST', 'DOCKER_CONFIG']
  const environment = hostile.map((name) => `${name}: ./evil`).join(', ')
  const step = `{name: test, environment: {${environment}, LEVEL: high}, commands: [make]}`
  await built(`kind: pipeline\ntype: exec\nname: unit\nsteps:\n- ${step}\n`, ['clone', 'test'])
  const script = await scriptOf(2)
  expect(script).toContain("export LEVEL='high'\n")
  for (const name of hostile) expect(script).not.toMatch(new RegExp(`(?:export|-e) ${name}`))
})

it('refuses steps without commands, and people without read access @system', async () => {
  await built(exec, ['clone', 'install', 'test'])
  const at = (path: string, as?: 'wes') => app.answer(`/api/repos/acme/web/builds/${path}`, as ? { as } : {})
  expect(await at('1/script/1/1', 'wes')).toEqual([400, { message: 'clone is not a step of the pipeline file' }])
  expect((await at('1/script/1/9', 'wes'))[0]).toBe(404)
  expect((await at('1/script/2/1', 'wes'))[0]).toBe(404)
  expect((await at('1/script/1/3'))[0]).toBe(401)
})
