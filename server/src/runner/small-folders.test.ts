import { lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chownClone } from './clone.ts'
import { chownSmallFolder, removeSmallFolder } from './small-folders.ts'

let parent: string
let folder: string
let outside: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'flightdeck-few-'))
  folder = join(parent, 'given')
  outside = join(parent, 'outside')
  for (const path of [join(folder, 'a/b'), outside]) mkdirSync(path, { recursive: true })
  writeFileSync(join(folder, 'a/b/file'), '')
  writeFileSync(join(outside, 'kept'), '')
  symlinkSync(outside, join(folder, 'a/link'))
  symlinkSync('/nowhere', join(folder, 'broken'))
})
afterEach(() => rmSync(parent, { recursive: true }))

const fill = (count: number) => {
  for (let number = 0; number < count; number += 1) writeFileSync(join(folder, `a/${number}`), '')
}

test('a small folder is removed, and the target of a link is not', async () => {
  expect(await removeSmallFolder(folder)).toBe(true)
  expect(readdirSync(parent)).toEqual(['outside'])
  expect(readdirSync(outside)).toEqual(['kept'])
})

test('a large folder is left to an external program', async () => {
  fill(400)
  expect(await removeSmallFolder(folder)).toBe(false)
  expect(lstatSync(folder).isDirectory()).toBe(true)
  expect(readdirSync(outside)).toEqual(['kept'])
})

test('a folder with very many files is not read completely @system', async () => {
  fill(4_000)
  const minDuration = async (work: () => unknown) => {
    let best = Infinity
    for (let times = 0; times < 5; times += 1) {
      const began = performance.now()
      await work()
      best = Math.min(best, performance.now() - began)
    }
    return best
  }
  const all = await minDuration(() => readdirSync(join(folder, 'a'), { withFileTypes: true }))
  expect(await minDuration(() => removeSmallFolder(join(folder, 'a')))).toBeLessThan(all / 3)
  expect(
    await minDuration(() => chownSmallFolder(join(folder, 'a'), { name: 'own', uid: 4242, gid: 4343 })),
  ).toBeLessThan(all / 3)
})

test('a link that replaces a folder during the removal is not followed', async () => {
  const many = join(folder, 'many')
  for (let number = 0; number < 50; number += 1) {
    mkdirSync(join(many, `${number}`), { recursive: true })
    writeFileSync(join(many, `${number}/kept`), '')
  }
  // The removal has started with the first folder.
  const removing = removeSmallFolder(folder)
  for (let number = 0; number < 50; number += 1) {
    renameSync(join(many, `${number}`), join(parent, `moved${number}`))
    symlinkSync(outside, join(many, `${number}`))
  }
  await removing
  expect(readdirSync(outside)).toEqual(['kept'])
})

// Only root can change the owner of files.
const asRoot = test.skipIf(process.geteuid?.() !== 0)

asRoot.each([0, 400])('all of it is given away, and nothing that a link leads to: %i more files', async (count) => {
  fill(count)
  const account = { name: 'own', uid: 4242, gid: 4343 }
  expect(await chownSmallFolder(folder, account)).toBe(count === 0)
  await chownClone(folder, account)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.includes('link/'))
  const inside = names.map((name) => join(folder, name))
  for (const path of [folder, ...inside]) {
    const { uid, gid } = lstatSync(path)
    expect([path, uid, gid]).toEqual([path, 4242, 4343])
  }
  for (const path of [parent, outside, join(outside, 'kept')]) expect([path, lstatSync(path).uid]).toEqual([path, 0])
})
