import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Build } from '@flightdeck/api'
import { thisPlatform } from '../../machine/platform.ts'
import { signIn, spawnServer, type ServerProcess } from '../../testing/server-process.ts'
import { testRepository } from '../../testing/test-repository.ts'

/** A small real disk. Only root can mount it. */
let folder: string
let isMounted = false
let server: ServerProcess
let admin: Awaited<ReturnType<typeof signIn>>
/** The step of another build waits for this server's response. */
let gate: Server
let asking: ServerResponse | undefined

/** The disk has 200 MiB and 4,000 inodes. Each command holds on to what it has used. */
const ways = {
  'a growing file': 'yes > big || sleep 60',
  'one call': 'fallocate -l 195M big || sleep 60; sleep 60',
  'a removed file that is kept open': 'exec 3> big; rm big; yes >&3 || sleep 60',
  'a temporary file': 'yes > /tmp/big || sleep 60',
  'many files': 'mkdir d; i=0; while true > d/$i; do i=$((i+1)); done; sleep 60',
  'files of several processes': 'for i in 1 2 3 4 5 6; do yes > $i & done; wait; sleep 60',
  'files in a closed folder': 'mkdir d; cd d; exec 3> big; chmod 000 .; yes >&3 || sleep 60',
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-disk-guard-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  gate = createServer((_request, response) => (asking = response))
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,nr_inodes=4000,mode=0700', 'tmpfs', data], {
      stdio: 'ignore',
    })
    isMounted = true
  } catch {
    return
  }
  const { os, arch } = thisPlatform()
  const pipeline = (command: string) =>
    `kind: pipeline\ntype: exec\nname: default\nplatform: { os: ${os}, arch: ${arch} }\n` +
    `steps:\n- name: work\n  commands:\n  - |\n    ${command}\n`
  const { port } = gate.address() as AddressInfo
  const wait = `head -c 2000000 /dev/zero > own; ${process.execPath} -e 'fetch("http://127.0.0.1:${port}")'`
  for (const [name, command] of [['modest', wait], ...Object.entries(ways)] as const) {
    testRepository(join(folder, 'repos/acme', slug(name))).commit({ '.drone.yml': pipeline(command) }, 'First')
  }
  server = spawnServer(['--port', '0', '--data', data, '--repos', join(folder, 'repos'), '--capacity', '2'])
  admin = await signIn(await server.ready, data)
})
afterAll(async () => {
  if (isMounted) {
    server.kill('SIGTERM')
    await server.ended
    execFileSync('umount', [join(folder, 'data')])
  }
  gate.closeAllConnections()
  gate.close()
  rmSync(folder, { recursive: true })
})

const slug = (name: string) => name.replaceAll(' ', '-')
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000, interval: 50 })
const start = async (name: string) => {
  const path = `/api/repos/acme/${slug(name)}`
  await admin.json(path, 'POST')
  await admin.json(`${path}/builds`, 'POST')
  return () => admin.json<Build>(`${path}/builds/1`)
}

test(
  'steps that fill the disk are ended; other builds and the database continue',
  { timeout: 240_000 },
  async (context) => {
    if (!isMounted) context.skip('needs root and the right to mount a tmpfs')
    const modest = await start('modest')
    await until(() => expect(asking).toBeDefined())
    for (const name of Object.keys(ways)) {
      const hostile = await start(name)
      await until(async () => expect((await hostile()).status, name).toBe('error'))
      const [stage] = (await hostile()).stages ?? []
      expect(stage?.error, name).toMatch(/^The disk of the server .*, and this stage /)
      expect(
        stage?.steps?.map(({ status }) => status),
        name,
      ).toEqual(['success', 'killed'])
      // The error is shown before the workspace is removed.
      await until(async () => {
        const { bavail, bsize, ffree } = await statfs(join(folder, 'data'))
        expect([bavail * bsize > 100 * 1024 * 1024, ffree > 2_000], name).toEqual([true, true])
      })
      await admin.json(`/api/repos/acme/${slug(name)}/secrets`, 'POST', { name: 'a', data: 'b' })
    }
    expect((await modest()).status).toBe('running')
    asking?.end()
    await until(async () => expect((await modest()).status).toBe('success'))
  },
)
