import { expect, test, vi } from 'vitest'
import type { Line } from '@flightdeck/api'
import { Masker } from '../pipeline/mask.ts'
import { createOutput } from './output.ts'

function collect(secrets: { name: string; data: string }[] = []) {
  const lines: Line[] = []
  let time = 5_000
  const append = async (more: readonly Line[]) => void lines.push(...more)
  const output = createOutput({ masker: new Masker(secrets), append, now: () => time })
  return {
    output,
    lines,
    texts: () => lines.map(({ out }) => out),
    wait: (milliseconds: number) => (time += milliseconds),
  }
}

test('a character that two chunks share stays whole; bytes that are no UTF-8 are replaced', async () => {
  const { output, texts } = collect()
  for (const byte of Buffer.from('ä€😀\n')) await output.write(Uint8Array.of(byte))
  await output.write(Uint8Array.of(0xff, 0x00, 0xfe, 0x0a, 0xe2, 0x82))
  await output.end()
  expect(texts()).toEqual(['ä€😀\n', '\uFFFD\0\uFFFD\n', '\uFFFD'])
})

test('tells seconds and tenths since the step began, and once when that was', async () => {
  const { output, lines, wait } = collect()
  wait(900)
  await output.write(Buffer.from('a\n'))
  wait(200)
  await output.write(Buffer.from('b\n'))
  expect(lines.map(({ time, tenth, began }) => [time, tenth, began])).toEqual([
    [0, 9, 5_000],
    [1, 1, undefined],
  ])
  await output.end()
})

test('the beginning of a line is shown when its end does not come', async () => {
  const { output, texts } = collect()
  await output.write(Buffer.from('done\nPassword: '))
  await vi.waitFor(() => expect(texts()).toEqual(['done\n', 'Password: ']), { timeout: 10_000 })
  await output.write(Buffer.from('ok\n'))
  await output.end()
  expect(texts()).toEqual(['done\n', 'Password: ', 'ok\n'])
})

test('hides a secret that two chunks share', async () => {
  const { output, texts } = collect([{ name: 'TOKEN', data: 'abcdef' }])
  await output.write(Buffer.from('<abc'))
  await output.write(Buffer.from('def>\nabc'))
  await output.end()
  expect(texts()).toEqual(['<[secret:token]>\n', 'abc'])
})

test('a log that cannot be written is told', async () => {
  const append = () => Promise.reject(new Error('disk full'))
  const output = createOutput({ masker: new Masker([]), append })
  await expect(output.write(Buffer.from('a\n'))).rejects.toThrow('disk full')
  await expect(output.end()).rejects.toThrow('disk full')
})
