import { expect, test, vi } from 'vitest'
import type { Line } from '@flightdeck/api'
import { decodeRows, type LogRows } from '../../lib/log-rows.ts'
import { outputScript } from '../../testing/bundles.ts'
import { createOutputReader } from './output-reader.ts'

function collect(secrets: { name: string; data: string }[] = []) {
  const lines: Line[] = []
  let time = 5_000
  const append = async ({ bytes }: LogRows) => {
    lines.push(...decodeRows(bytes))
    return { full: false }
  }
  const output = createOutputReader({ now: () => time })
    .stage(secrets)
    .open(append)
  return {
    output,
    lines,
    texts: () => lines.map(({ out }) => out),
    wait: (milliseconds: number) => (time += milliseconds),
  }
}

test('a character that spans two chunks stays whole; invalid UTF-8 is replaced', async () => {
  const { output, texts } = collect()
  for (const byte of Buffer.from('ä€😀\n')) await output.write(Uint8Array.of(byte))
  await output.write(Uint8Array.of(0xff, 0x00, 0xfe, 0x0a, 0xe2, 0x82))
  await output.end()
  expect(texts()).toEqual(['ä€😀\n', '\uFFFD\0\uFFFD\n', '\uFFFD'])
})

test('rows have seconds and tenths since the start of the step; the first row has the start', async () => {
  const { output, lines, wait } = collect()
  wait(900)
  await output.write(Buffer.from('a\n'))
  wait(200)
  await output.write(Buffer.from('b\n'))
  expect(lines.map(({ pos, time, tenth, began }) => [pos, time, tenth, began])).toEqual([
    [0, 0, 9, 5_000],
    [1, 1, 1, undefined],
  ])
  await output.end()
})

test('an incomplete line is shown after a while', async () => {
  const { output, texts } = collect()
  await output.write(Buffer.from('done\nPassword: '))
  await vi.waitFor(() => expect(texts()).toEqual(['done\n', 'Password: ']), { timeout: 10_000 })
  await output.write(Buffer.from('ok\n'))
  await output.end()
  expect(texts()).toEqual(['done\n', 'Password: ', 'ok\n'])
})

test('a line whose end the server has not read yet is not split', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const texts: string[] = []
    let store = (): void => {}
    const stored = new Promise<void>((resolve) => (store = resolve))
    const output = createOutputReader()
      .stage([])
      .open(async ({ bytes }) => {
        texts.push(...decodeRows(bytes).map(({ out }) => out))
        await stored
        return { full: false }
      })
    const first = output.write(Buffer.from('1\n23'))
    await vi.waitFor(() => expect(texts).toEqual(['1\n']))
    await vi.advanceTimersByTimeAsync(60_000)
    store()
    await first
    await output.write(Buffer.from('4\n'))
    await output.end()
    expect(texts).toEqual(['1\n', '234\n'])
  } finally {
    vi.useRealTimers()
  }
})

test('masks a secret that spans two chunks', async () => {
  const { output, texts } = collect([{ name: 'TOKEN', data: 'abcdef' }])
  await output.write(Buffer.from('<abc'))
  await output.write(Buffer.from('def>\nabc'))
  await output.end()
  expect(texts()).toEqual(['<[secret:token]>\n', 'abc'])
})

test.each([undefined, outputScript])(
  'a log that cannot be written is an error, with and without a thread',
  async (script) => {
    const outputs = createOutputReader({ script })
    const output = outputs.stage([]).open(() => Promise.reject(new Error('disk full')))
    await expect(output.write(Buffer.from('a\n'))).rejects.toThrow('disk full')
    await expect(output.end()).rejects.toThrow('disk full')
    output.close()
    await outputs.close()
  },
)

/** Chunks that a step prints many times. */
const hostile = [
  ['empty lines @system', '\n'],
  ['one line without an end', 'x'],
  ['carriage returns @system', '\r'],
  ['NULs @system', '\0'],
  ['colours @system', '\u001B[31m\u001B[0m'],
  ['characters that JSON escapes', '<"\\\u2028>\n'],
] as const

test.each(hostile)('the thread loses no line and keeps their order: %s', async (_what, piece) => {
  const outputs = createOutputReader({ script: outputScript })
  const stages = [outputs.stage([]), outputs.stage([{ name: 'S', data: 'secret' }])]
  const text = piece.repeat(Math.floor(200_000 / piece.length))
  const results = stages.map(async (stage) => {
    const lines: Line[] = []
    const output = stage.open(async ({ bytes, count, pos }) => {
      const more = decodeRows(bytes)
      expect([more.length, more[0]?.pos]).toEqual([count, pos])
      lines.push(...more)
      return { full: false }
    })
    const all = Buffer.from(text)
    for (let at = 0; at < all.length; at += 65_536) await output.write(all.subarray(at, at + 65_536))
    await output.end()
    output.close()
    return lines
  })
  for (const lines of await Promise.all(results)) {
    expect(lines.map(({ pos }) => pos)).toEqual(lines.map((_, index) => index))
    expect(lines.map(({ out }) => out).join('') === text).toBe(true)
  }
  await outputs.close()
})

test('a full log discards output without work, and the step continues', async () => {
  const outputs = createOutputReader({ script: outputScript })
  let calls = 0
  const output = outputs.stage([]).open(async () => {
    calls += 1
    return { full: true }
  })
  for (let times = 0; times < 50; times += 1) await output.write(Buffer.from('\n'.repeat(65_536)))
  await output.end()
  expect(calls).toBe(1)
  await outputs.close()
})

test('steps fail if their thread ends, and the next step starts another thread', async () => {
  const outputs = createOutputReader({ script: outputScript })
  const stage = outputs.stage([{ name: 'S', data: 'secret' }])
  const lost = stage.open(async () => ({ full: false }))
  await lost.write(Buffer.from('one\n'))
  await outputs.close()
  await expect(lost.write(Buffer.from('two\n'))).rejects.toThrow('has ended')
  const lines: Line[] = []
  const next = stage.open(async ({ bytes }) => {
    lines.push(...decodeRows(bytes))
    return { full: false }
  })
  await next.write(Buffer.from('a secret\n'))
  await next.end()
  expect(lines.map(({ out }) => out)).toEqual(['a [secret:s]\n'])
  await outputs.close()
})
