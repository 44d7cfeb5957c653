import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDone, type Build, type Line } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isolationModes, isRoot } from '../testing/isolation-modes.ts'
import { signIn, spawnServer } from '../testing/server-process.ts'
import { testRepository } from '../testing/test-repository.ts'

vi.setConfig({ testTimeout: 60_000 })
const polling = { timeout: 45_000, interval: 100 }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-share-'))
  chmodSync(folder, 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const shareOf = (text: string): number => Number(/ nice (-?\d+)/.exec(text)?.[1] ?? Number.NaN)

// Only root takes a larger share, and some kernels have no autogroups.
test.skipIf(!isRoot || !existsSync('/proc/self/autogroup')).each(isolationModes.filter(({ needsRoot }) => needsRoot))(
  'the server has a larger share of the processor than steps, which cannot change that: $name',
  async ({ args }) => {
    const origin = testRepository(join(folder, 'repos/acme/web'))
    origin.commit({ README: 'x' }, 'First')
    const flags = ['--port', '0', '--data', join(folder, 'data'), '--repos', join(folder, 'repos'), ...args]
    const server = spawnServer(flags, {}, undefined, true)
    try {
      const admin = await signIn(await server.ready, join(folder, 'data'))
      await admin.json('/api/repos/acme/web', 'POST')
      const file = '/proc/self/autogroup'
      const commands = [`cat ${file}`, `echo -10 2>/dev/null > ${file} && cat ${file} || echo refused`]
      const setUp = 'kind: pipeline\ntype: exec\nname: p\nclone: {disable: true}\n'
      const sha = origin.commit(
        { '.drone.yml': `${setUp}steps: [{name: a, commands: ${JSON.stringify(commands)}}]\n` },
        'Look',
      )
      await vi.waitFor(async () => {
        const [build] = await admin.json<Build[]>('/api/repos/acme/web/builds')
        expect(build?.after).toBe(sha)
        expect(isDone(build?.status ?? '')).toBe(true)
      }, polling)
      const lines = await admin.json<Line[]>('/api/repos/acme/web/builds/1/logs/1/1')
      const said = lines.map(({ out }) => out.trim()).filter((line) => !line.startsWith('+'))
      expect(said.map((line) => (line === 'refused' ? line : shareOf(line)))).toEqual([0, 'refused'])
      expect(shareOf(readFileSync(`/proc/${server.pid}/autogroup`, 'utf8'))).toBe(-10)
    } finally {
      server.kill('SIGTERM')
      await server.ended
    }
  },
)
