/** A runner that does not work, on a Docker of ours that says what a real one would. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connectDocker } from './api.ts'
import { keepRunner, type KeptRunner } from './runner.ts'

let folder: string
let server: Server
let kept: KeptRunner | undefined
let isPaused: boolean
let isSilent: boolean
/** Sends the answers that a hanging Docker owes. */
let owed: (() => void)[]
/** Called with the exit code when the runner ends. */
let exit: ((code: number) => void) | undefined
let started: number
const said: string[] = []
const socket = () => join(folder, 'docker.sock')

async function listen(): Promise<void> {
  server = createServer((request, response) => {
    const what = `${request.method} ${request.url}`
    if (what.includes('/wait')) {
      exit = (code) => response.end(JSON.stringify({ StatusCode: code }))
      return
    }
    if (what.includes('/start')) {
      started += 1
      exit = undefined
      isPaused = false
    }
    const answer = what.endsWith('/version')
      ? { ApiVersion: '1.47', MinAPIVersion: '1.24' }
      : /\/create\?/.test(what)
        ? { Id: 'abc' }
        : /\/containers\/abc\/json/.test(what)
          ? { State: { Running: true, Paused: isPaused } }
          : /\/volumes\?/.test(what)
            ? { Volumes: [] }
            : /\/json\?|\/networks\?/.test(what)
              ? []
              : {}
    const send = () => response.end(JSON.stringify(answer))
    if (isSilent) owed.push(send)
    else send()
  })
  await new Promise<void>((resolve) => {
    server.listen(socket(), resolve)
  })
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-hang-'))
  isPaused = false
  exit = undefined
  isSilent = false
  owed = []
  started = 0
  said.length = 0
  await listen()
})
afterEach(async () => {
  await kept?.stop()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const keep = async (more: { silentMs?: number; pauseMs?: number; slowMs?: number } = {}): Promise<KeptRunner> => {
  const settings = { image: 'x', capacity: 2, memory: undefined, labels: {} }
  kept = keepRunner({
    docker: await connectDocker(socket()),
    container: { settings, tag: 't', name: 'here', network: 'n', server: 'http://127.0.0.1:1', secret: 's' },
    say: (words) => said.push(words),
    onEnd: async () => {},
    pauseMs: 5,
    checkMs: 5,
    ...more,
  })
  return kept
}

it('is started again when it was paused', async () => {
  const runner = await keep()
  await expect.poll(() => started).toBe(1)
  runner.noteCall()
  expect(runner.state().state).toBe('working')
  isPaused = true
  await expect.poll(() => started).toBe(2)
  expect(said.some((words) => words.startsWith('The Docker runner was paused. Trying again'))).toBe(true)
})

it('is started again when it is silent', async () => {
  const runner = await keep({ silentMs: 10 })
  await expect.poll(() => started).toBe(1)
  runner.noteCall()
  await expect.poll(() => started).toBeGreaterThan(1)
  expect(said.some((words) => words.includes('sent nothing for'))).toBe(true)
})

async function stopDocker(): Promise<void> {
  server.closeAllConnections()
  const closed = once(server, 'close')
  server.close()
  await closed
  rmSync(socket(), { force: true })
}

/** The pauses before its restarts, in seconds. */
const pauses = () => said.flatMap((words) => /Trying again in (\d+) s/.exec(words)?.[1] ?? [])

it('reports that Docker hangs until it answers again', async () => {
  const runner = await keep({ slowMs: 20 })
  await expect.poll(() => started).toBe(1)
  runner.noteCall()
  isSilent = true
  await expect.poll(() => runner.state()).toMatchObject({ state: 'failing', error: /^Docker does not respond/ })
  isSilent = false
  for (const send of owed) send()
  await expect.poll(() => runner.state().state).toBe('working')
  expect(started).toBe(1)
})

it('works again when Docker is back at the same socket', async () => {
  const runner = await keep()
  // Its container is being watched: a connection that is opened later would not be closed.
  await expect.poll(() => exit).toBeDefined()
  runner.noteCall()
  server.closeAllConnections()
  await expect.poll(() => said).toContainEqual(expect.stringMatching(/waiting for it$/))
  await expect.poll(() => runner.state().state).toBe('working')
  expect([started, pauses()]).toEqual([1, []])
})

it('is started again when it outlived Docker, whose new socket it cannot see', async () => {
  const runner = await keep()
  await expect.poll(() => started).toBe(1)
  runner.noteCall()
  await stopDocker()
  await expect.poll(() => runner.state().state).toBe('failing')
  await listen()
  await expect.poll(() => started).toBe(2)
  expect(pauses()).toEqual(['1'])
})

it('counts no earlier outage when the runner ends before Docker does', async () => {
  const runner = await keep({ pauseMs: 600 })
  for (let outage = 1; outage <= 3; outage++) {
    await expect.poll(() => started).toBe(outage)
    runner.noteCall()
    await expect.poll(() => exit).toBeDefined()
    exit?.(1)
    await expect.poll(() => pauses()).toHaveLength(outage)
    await stopDocker()
    await expect.poll(() => runner.state().error).toMatch(/Docker not found/)
    await listen()
  }
  expect(pauses()).toEqual(['1', '1', '1'])
})

it('reports at once that Docker is gone, and counts no earlier outage', async () => {
  const runner = await keep({ pauseMs: 300 })
  for (let outage = 1; outage <= 4; outage++) {
    await expect.poll(() => started).toBe(outage)
    runner.noteCall()
    expect(runner.state()).toMatchObject({ state: 'working' })
    // Its containers end with it.
    isPaused = true
    server.closeAllConnections()
    server.close()
    await expect.poll(() => runner.state().state).toBe('failing')
    expect(runner.state().error).toMatch(/Docker/)
    rmSync(socket(), { force: true })
    await listen()
  }
  await expect.poll(() => started).toBe(5)
  expect(pauses()).toEqual(['1', '1', '1', '1'])
})

it('reports that Docker is gone, also during the pause before a retry', async () => {
  const runner = await keep({ silentMs: 10, pauseMs: 60_000 })
  await expect.poll(() => started).toBe(1)
  runner.noteCall()
  await expect.poll(() => runner.state().error).toMatch(/sent nothing for/)
  server.closeAllConnections()
  server.close()
  rmSync(socket(), { force: true })
  await expect.poll(() => runner.state().error).toMatch(/docker\.sock/)
})
