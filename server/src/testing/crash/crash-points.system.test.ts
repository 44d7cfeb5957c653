/**
 * The real server is ended, or one of its writes fails, at points of the life of a build: its
 * database, files and folders are counted, not the time (write-faults.mjs).
 * `node tools/crash-points.mjs` tries every point; here are twenty.
 */
import { expect, test, vi } from 'vitest'
import { endings, failures, tryPoint, type FaultKind, type Point } from './try-point.ts'

/** Concurrent runs; each has a server, git and steps. */
const parallel = Number(process.env['CRASH_PARALLEL'] ?? 2)
const kindsOf = (text: string | undefined) => text?.split(',') as FaultKind[] | undefined

/** Settings for runs on demand: every N-th operation in a range, with some kinds. */
const { CRASH_EVERY: every, CRASH_FROM: from = '1', CRASH_TO: to, CRASH_KINDS: kinds } = process.env
// All points take hours.
vi.setConfig({ testTimeout: every === undefined ? 600_000 : 24 * 3_600_000 })
/** The number of consecutive operations that fail. */
const length = Number(process.env['CRASH_LENGTH'] ?? 12)

/** Twenty points, spread over all operations, with alternating kinds. */
function twenty(count: number): Point[] {
  return Array.from({ length: 20 }, (_, index): Point => {
    const at = Math.max(1, Math.round(((index + 0.5) * count) / 20))
    const among: readonly FaultKind[] = index % 2 === 0 ? endings : failures
    return { at, kind: among[Math.floor(index / 2) % among.length] ?? 'kill', length }
  })
}

function chosen(count: number): Point[] {
  if (every === undefined) return twenty(count)
  const points: Point[] = []
  for (let at = Number(from); at <= Number(to ?? count); at += Number(every))
    for (const kind of kindsOf(kinds) ?? [...endings, ...failures]) points.push({ at, kind, length })
  return points
}

test('a server that ends or cannot write, at any operation, keeps its promises', async () => {
  const { operations, wrong, confirmed: promised } = await tryPoint()
  expect(wrong).toEqual([])
  // The run is complete: it made every promise that the checks need.
  expect(promised).toMatchObject({ isProtected: false, hasCron: true, refusals: [] })
  expect([promised.builds.size, promised.ended.size, promised.lines.size]).toEqual([4, 3, 4])
  expect([promised.canceled.size, promised.approved.size]).toEqual([1, 1])
  for (const seen of promised.lines.values()) expect(seen.size).toBeGreaterThan(0)

  const points = chosen(operations.length)
  const waiting = [...points]
  const faults: string[] = []
  let hits = 0
  const work = async () => {
    for (let point = waiting.shift(); point; point = waiting.shift()) {
      const name = `${point.kind} at ${point.at} of ${operations.length}`
      const outcome = await tryPoint(point).catch((error: unknown) => ({ wrong: [String(error)], hit: '' }))
      if (outcome.hit !== undefined) hits += 1
      faults.push(...outcome.wrong.map((text) => `${name} (${outcome.hit}): ${text}`))
      if (every !== undefined)
        console.log(`${outcome.wrong.length === 0 ? 'holds' : 'FAILS'} ${name} (${outcome.hit ?? 'not reached'})`)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  expect(faults).toEqual([])
  // The last points may be beyond the end of a run with fewer operations than the first one.
  if (every === undefined) expect(hits).toBeGreaterThanOrEqual(18)
  else console.log(`${points.length} points, ${hits} reached, ${faults.length} faults`)
})
