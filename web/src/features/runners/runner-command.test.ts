import { execFileSync } from 'node:child_process'

import { expect, it } from 'vitest'

import { isLocal, runnerCommand } from './runner-command.ts'

const address = { proto: 'https', host: 'ci.example.com' }

it.each(['plain', "it's", 'a b', '$HOME `id` "x" \\', ''])('the shell hands the secret %s on as it is', (secret) => {
  const args = execFileSync('sh', ['-c', runnerCommand(address, secret).replace('docker', `printf '%s\\n'`)], {
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
