import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DiskFigures, DiskFullError } from '../../lib/disk-space.ts'
import { createDiskGuard, type DiskGuard } from './disk-guard.ts'
import { diskUsage } from './disk-usage.ts'

const mebibyte = 1024 * 1024
const isRoot = process.geteuid?.() === 0
/** In a range that no system assigns to accounts. */
const uid = 1_899_999_998

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'flightdeck-disk-guard-'))
  chmodSync(root, 0o711)
})
afterEach(() => rmSync(root, { recursive: true }))

function workspace(name: string, bytes: number, files = 1): string {
  const folder = join(root, name)
  mkdirSync(folder)
  for (let file = 0; file < files; file += 1) writeFileSync(join(folder, `${file}`), Buffer.alloc(bytes / files, 1))
  return folder
}

describe('the size of a workspace', () => {
  it('counts hard links once and does not follow symbolic links', async () => {
    const folder = workspace('a', mebibyte)
    for (let link = 0; link < 20; link += 1) linkSync(join(folder, '0'), join(folder, `name\n${link} f 1 99999999`))
    const usage = await diskUsage({ folder })
    expect(usage?.bytes).toBeGreaterThanOrEqual(mebibyte)
    expect(usage?.bytes).toBeLessThan(1.5 * mebibyte)
    expect(usage?.inodes).toBe(2)
  })

  it('is unknown if the workspace was removed', async () => {
    expect(await diskUsage({ folder: join(root, 'gone') })).toBeNull()
  })

  it.skipIf(isRoot)('is infinite if a folder cannot be read', async () => {
    const folder = workspace('a', 10)
    mkdirSync(join(folder, 'hidden'), { mode: 0o300 })
    expect((await diskUsage({ folder }))?.bytes).toBe(Number.POSITIVE_INFINITY)
  })

  it.runIf(isRoot)('includes removed files that its account still has open, but no memory', async () => {
    const folder = workspace('a', 10)
    chownSync(folder, uid, uid)
    const script = `
      exec 3>removed 4>/dev/shm/flightdeck-$$; rm removed /dev/shm/flightdeck-$$
      head -c ${4 * mebibyte} /dev/zero >&3; head -c ${9 * mebibyte} /dev/zero >&4
      echo ready; exec sleep 60`
    const child: ChildProcess = spawn('/bin/sh', ['-c', script], { cwd: folder, uid, gid: uid })
    try {
      await once(child.stdout ?? child, 'data')
      const usage = await diskUsage({ folder, uid })
      expect(usage?.bytes).toBeGreaterThanOrEqual(4 * mebibyte)
      expect(usage?.bytes).toBeLessThan(5 * mebibyte)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
  })
})

describe('the guard', () => {
  const fine: DiskFigures = { bsize: 4096, blocks: 25_600, bavail: 20_000, files: 10_000, ffree: 9_000 }
  let figures: DiskFigures
  let guard: DiskGuard
  let ended: { name: string; message: string }[]
  beforeEach(() => {
    figures = fine
    ended = []
    guard = createDiskGuard({ dataDir: root, readDisk: async () => figures })
  })
  afterEach(() => guard.stop())
  const watch = (name: string, folder: string) => {
    const end = ({ message }: DiskFullError) => void ended.push({ name, message })
    return guard.watch({ id: 1, folder, end })
  }
  const names = () => ended.map(({ name }) => name)

  it('ends the stage that uses most, then the next one if the disk is still full after the first was removed', async () => {
    const places = ['small', 'large', 'middle'].map((name, index) =>
      watch(name, workspace(name, [1, 4, 2][index]! * mebibyte)),
    )
    figures = { ...fine, bavail: 600 }
    await expect.poll(names).toEqual(['large'])
    expect(ended[0]?.message).toBe('The disk of the server was nearly full, and this stage used the most of it, 4 MiB.')
    places[1]?.()
    await expect.poll(names).toEqual(['large', 'middle'])
  })

  it('counts the logs of a stage', async () => {
    watch('workspace', workspace('workspace', 2 * mebibyte))
    const end = ({ message }: DiskFullError) => void ended.push({ name: 'logs', message })
    guard.watch({ id: 2, folder: workspace('logs', 10), logBytes: () => 8 * mebibyte, end })
    figures = { ...fine, bavail: 600 }
    await expect.poll(names).toEqual(['logs'])
  })

  it('ends the stage with most files when inodes run out', async () => {
    watch('files', workspace('files', 0, 50))
    watch('bytes', workspace('bytes', mebibyte))
    figures = { ...fine, ffree: 49 }
    await expect.poll(names).toEqual(['files'])
    expect(ended[0]?.message).toBe(
      'The disk of the server had nearly no inodes left, and this stage used the most of them, 51.',
    )
  })

  it('checks the disk more often while little space is free', async () => {
    const countChecks = async (bavail: number) => {
      let reads = 0
      const own = createDiskGuard({
        dataDir: root,
        readDisk: async () => {
          reads += 1
          return { ...fine, blocks: 2 ** 24, bavail, files: 0 }
        },
      })
      own.watch({ id: 1, folder: join(root, 'a'), end: () => {} })
      await vi.advanceTimersByTimeAsync(1_000)
      await own.stop()
      return reads
    }
    vi.useFakeTimers()
    try {
      expect(await countChecks(2 ** 20)).toBe(4)
      expect(await countChecks(2 ** 17)).toBeGreaterThan(30)
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends no stage that uses almost nothing, because something else fills the disk', async () => {
    let isRead = false
    const own = createDiskGuard({
      dataDir: root,
      readDisk: async () => {
        isRead = true
        return { ...fine, bavail: 1 }
      },
    })
    own.watch({ id: 1, folder: workspace('a', 10), end: () => void ended.push({ name: 'a', message: '' }) })
    await expect.poll(() => isRead).toBe(true)
    // Waits until the count is done.
    await own.stop()
    expect(ended).toEqual([])
  })
})
