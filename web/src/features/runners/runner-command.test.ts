import { execFileSync } from 'node:child_process'

import { expect, it } from 'vitest'

import { isLocal, runnerStart } from './runner-command.ts'

const address = { proto: 'https', host: 'ci.example.com' }

it.each(['plain', "it's", 'a b', '$HOME `id` "x" \\', ''])('the shell hands the secret %s on as it is', (secret) => {
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
  ['kubernetes', /^kubectl create secret generic .*DRONE_RPC_SECRET=x$/s],
  ['exec', /^DRONE_RPC_PROTO=https .*drone-runner-exec daemon$/s],
  ['digitalocean', /^DRONE_RPC_PROTO=https\n.*DRONE_RUNNER_NAME=digitalocean-1$/s],
])('a pipeline of type %s gets a command of its own', (type, command) => {
  expect(runnerStart(address, 'x', { type }).command).toMatch(command)
})

it('a runner elsewhere gets the labels of the pipeline, which are somebody else’s words', () => {
  const { command, title } = runnerStart(address, 'x', {
    type: 'exec',
    os: 'darwin',
    arch: 'arm64',
    labels: { zone: 'a b', room: '$(id)' },
  })
  expect(command).toContain("DRONE_RUNNER_LABELS='zone:a b,room:$(id)'")
  expect(title).toContain('darwin/arm64')
})
