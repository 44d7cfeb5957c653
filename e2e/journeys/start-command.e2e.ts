/** `npm start` as a person or a service manager runs it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '../support/product.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const serves = (origin: string) =>
  fetch(`${origin}/healthz`).then(
    (response) => response.ok,
    () => false,
  )

test('ending npm start ends the server', async ({ folder }) => {
  const npm = spawn('npm', ['start', '--', '--port', '0', '--data', join(folder, 'data')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => npm.once('exit', resolve))
  let output = ''
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/is ready: http/)
  const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? ''
  expect(await serves(origin)).toBe(true)
  npm.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(await serves(origin)).toBe(false)
})
