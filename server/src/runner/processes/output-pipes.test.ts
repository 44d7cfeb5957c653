import {
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPipes } from './output-pipes.ts'

let parent: string
let folder: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'flightdeck-pipes-'))
  folder = join(parent, 'pipes')
})
afterEach(() => rmSync(parent, { recursive: true }))

test('each pipe is new, closed to other accounts, and leaves no file in the folder', async () => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'left by a server that was killed'), '')
  const pipes = createPipes(folder)
  for (let number = 0; number < 80; number += 1) {
    const pipe = await pipes.open()
    const { mode } = fstatSync(pipe.writer, { bigint: true })
    expect([number, Number(mode & 0o170777n).toString(8)]).toEqual([number, '10600'])
    writeSync(pipe.writer, `${number}`)
    pipe.closeWriter()
    let told = ''
    for await (const bytes of pipe.reader) told += String(bytes)
    expect(told).toBe(String(number))
  }
  expect(lstatSync(folder).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder)) expect(lstatSync(join(folder, name)).isFIFO()).toBe(true)
  await pipes.close()
  expect(existsSync(folder)).toBe(false)
})

test('concurrent calls get one pipe each, even if there are more calls than prepared pipes', async () => {
  const pipes = createPipes(folder)
  const all = await Promise.all(Array.from({ length: 100 }, () => pipes.open()))
  expect(new Set(all.map(({ writer }) => fstatSync(writer).ino)).size).toBe(100)
  for (const pipe of all) {
    pipe.closeWriter()
    pipe.reader.destroy()
  }
  await pipes.close()
})

test('a pipe whose owner cannot be changed leaves no open descriptor', async () => {
  const pipes = createPipes(folder)
  const first = await pipes.open()
  const before = [readdirSync('/proc/self/fd').length, readdirSync(folder).length]
  await expect(pipes.open({ name: 'nobody there', uid: -7, gid: -7 })).rejects.toThrow('out of range')
  expect(readdirSync('/proc/self/fd').length).toBe(before[0])
  expect(readdirSync(folder).length).toBe((before[1] ?? 0) - 1)
  first.closeWriter()
  first.reader.destroy()
  await pipes.close()
})

test('a pipe that cannot be removed still works', async () => {
  const pipes = createPipes(folder)
  const pipe = await pipes.open()
  rmSync(pipe.path)
  mkdirSync(pipe.path)
  writeSync(pipe.writer, 'said')
  pipe.closeWriter()
  let said = ''
  for await (const bytes of pipe.reader) said += String(bytes)
  expect(said).toBe('said')
  await pipes.close()
})

test('pipes whose folder was deleted are created again', async () => {
  const pipes = createPipes(folder)
  for (const _ of [1, 2]) {
    const pipe = await pipes.open()
    rmSync(folder, { recursive: true })
    pipe.closeWriter()
    pipe.reader.destroy()
  }
  await pipes.close()
})
