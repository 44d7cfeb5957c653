import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { canTake, isLocal, runnerStart } from './runner-command.ts'

const address = { proto: 'https', host: 'ci.example.com' }

it.each(['plain', "it's", 'a b', '$HOME `id` "x" \\', ''])('the shell passes the secret %s on unchanged', (secret) => {
  const args = execFileSync('sh', ['-c', runnerStart(address, secret).command.replace('docker', `printf '%s\\n'`)], {
    encoding: 'utf8',
  }).split('\n')
  expect(args).toContain(`DRONE_RPC_SECRET=${secret}`)
  expect(args).toContain('DRONE_RPC_HOST=ci.example.com')
  expect(args.at(-2)).toBe('drone/drone-runner-docker:1')
})

it.each([
  ['localhost:8080', true],
  ['127.0.0.1:1', true],
  ['[::1]:8080', true],
  ['ci.example.com', false],
  ['localhost.example.com', false],
])('%s is this machine alone: %s', (host, expected) => expect(isLocal(host)).toBe(expected))

it.each([
  ['ssh', /^docker run .*drone\/drone-runner-ssh$/s],
  ['kubernetes', /^kubectl create namespace ci\nkubectl -n ci create secret generic .*DRONE_RPC_SECRET=x$/s],
  ['exec', /^DRONE_RPC_PROTO=https .*drone-runner-exec daemon$/s],
  ['digitalocean', /^DRONE_RPC_PROTO=https\n.*DRONE_RUNNER_NAME=digitalocean-1\n.*$/s],
])('a pipeline of type %s gets a command of its own', (type, command) => {
  expect(runnerStart(address, 'x', { type }).command).toMatch(command)
})

it.each(['docker', 'ssh', 'exec'])('a runner of type %s reads logs to their end', (type) => {
  expect(runnerStart(address, 'x', { type }).command).toContain('DRONE_DEFER_TAIL_LOG=true')
})

it.each(['docker', 'exec'])('a runner of type %s names the platform of the pipeline', (type) => {
  expect(runnerStart(address, 'x', { type, os: 'linux', arch: 'arm64' }).title).toMatch(/ with linux\/arm64$/)
})

it.each([{}, { os: 'linux', arch: 'amd64' }])('a Docker runner names no platform that most hosts have', (needs) => {
  expect(runnerStart(address, 'x', { type: 'docker', ...needs }).title).toBe('Start Drone’s runner on a Docker host')
})

it('a cluster gets the labels of the pipeline, and the guide’s manifest replaces nothing of its secret', () => {
  const { command, guide = '' } = runnerStart(address, 'x', { type: 'kubernetes', labels: { zone: 'a' } })
  expect(command).toContain('--from-literal=DRONE_RUNNER_LABELS=zone:a')
  const text = readFileSync(join(import.meta.dirname, '../../../..', guide), 'utf8')
  const given = [...command.matchAll(/--from-literal=(\w+)=/g)].map(([, name = '']) => name)
  expect(given.filter((name) => text.includes(`{name: ${name},`))).toEqual([])
})

const runner = { type: 'docker', os: 'linux', arch: 'amd64' }
it.each([
  [{ type: 'docker' }, runner, true],
  [runner, runner, true],
  [{ ...runner, arch: 'arm64' }, runner, false],
  [{ ...runner, os: 'windows' }, runner, false],
  [{ ...runner, variant: 'v7' }, runner, false],
  [{ type: 'ssh' }, runner, false],
  [{ ...runner, labels: { zone: 'a' } }, runner, false],
  [{ ...runner, labels: { zone: 'a' } }, { ...runner, labels: { zone: 'a' } }, true],
  [runner, { ...runner, labels: { zone: 'a' } }, false],
])('%o is taken by %o: %s', (needs, by, expected) => expect(canTake(by, needs)).toBe(expected))

it('a remote runner gets the pipeline’s labels, quoted as untrusted text', () => {
  const { command, title } = runnerStart(address, 'x', {
    type: 'exec',
    os: 'darwin',
    arch: 'arm64',
    labels: { zone: 'a b', room: '$(id)' },
  })
  expect(command).toContain("DRONE_RUNNER_LABELS='zone:a b,room:$(id)'")
  expect(title).toContain('darwin/arm64')
})
