/**
 * Repeated pushes and reads do not exhaust memory: texts from git are truncated on entry, and
 * caches count every byte.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBench, type Bench } from '../testing/test-bench.ts'

vi.setConfig({ testTimeout: 60_000 })

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

/** Bytes of what is still in use. */
async function usedMemory(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // Buffers are given back in a turn after the one in which their last holder is collected.
  for (let times = 0; times < 3; times += 1) {
    collect()
    await setImmediate()
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const long = 1_900_000
const person = (name: string, email: string) => `${name} <${email}> 1700000000 +0000`
const cases: Record<string, (index: number) => { author: string; message: string }> = {
  'a name of an author': (index) => ({ author: person(`${index}${'n'.repeat(long)}`, 'a@b.c'), message: 'x' }),
  'an address of an author': (index) => ({ author: person('Ann', `${index}${'e'.repeat(long)}`), message: 'x' }),
  'a message': (index) => ({ author: person('Ann', 'a@b.c'), message: `${index}${'m'.repeat(long)}` }),
  'a message of letters that take two bytes': (index) => ({
    author: person('Ann', 'a@b.c'),
    message: `${index}${'м'.repeat(long / 2)}`,
  }),
}

test.each(Object.entries(cases))('%s of 1.9 MB', async (_what, text) => {
  const { source } = bench
  source.commit({ README: 'x' }, 'First')
  const tree = source.git('rev-parse', 'HEAD^{tree}')
  const shas = Array.from({ length: 12 }, (_, index) => {
    const { author, message } = text(index)
    const commit = `tree ${tree}\nauthor ${author}\ncommitter ${person('Ann', 'a@b.c')}\n\n${message}\n`
    writeFileSync(join(bench.dir, 'commit'), commit)
    return source.git('hash-object', '-t', 'commit', '-w', '--literally', join(bench.dir, 'commit'))
  })
  for (const sha of shas.slice(0, 2)) await bench.ci.commit(bench.repo, sha)
  const before = await usedMemory()
  for (let times = 0; times < 2; times += 1) {
    for (const sha of shas) {
      const commit = await bench.ci.commit(bench.repo, sha)
      expect(commit.author.name.length).toBeLessThanOrEqual(250)
      expect(commit.author.email.length).toBeLessThanOrEqual(250)
      expect(commit.message.length).toBeLessThanOrEqual(50_000)
    }
  }
  expect((await usedMemory()) - before).toBeLessThan(8_000_000)
})
