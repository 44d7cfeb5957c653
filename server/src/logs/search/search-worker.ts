/** The worker thread of a log search, terminated with its search, even if a pattern hangs. */
import { parentPort, workerData } from 'node:worker_threads'
import { readable } from '@flightdeck/cause'
import { compile, hitOf, matchLine, type Line } from '@flightdeck/api'
import type { StepFound } from '../../interfaces/logs.ts'
import { createEntryReader, openFirst } from './log-entries.ts'
import type { SearchData, StepAnswer, StepJob } from './search-jobs.ts'
import { createLineJoiner, type LogLine } from './line-joiner.ts'

const { query, life }: SearchData = workerData
const expression = compile(query)

/** Sends the first hits immediately, then the count at this interval. */
const reportIntervalMs = 200
const post = (answer: StepAnswer): void => parentPort?.postMessage(answer)

/** Checks a whole batch of lines for plain text first: most batches contain no match. */
function mayHold(texts: readonly string[]): boolean {
  if (query.pattern) return true
  Atomics.add(life, 0, 1)
  expression.lastIndex = 0
  return expression.test(texts.join('\n'))
}

function searchLines(lines: readonly LogLine[], maxHits: number, found: StepFound): void {
  const texts = lines.map(({ text }) => readable(text.replace(/\r$/, '')))
  if (!mayHold(texts)) return
  lines.forEach(({ number, at, before }, index) => {
    const text = texts[index] ?? ''
    Atomics.add(life, 0, 1)
    matchLine(expression, text, (start, end) => {
      found.count += 1
      if (found.hits.length < maxHits) {
        found.hits.push({ ...hitOf(number, text, start, end), ...at, ...(before && { previous: before }) })
      }
    })
  })
}

async function search({ paths, maxHits }: StepJob): Promise<StepAnswer> {
  const bytes = await openFirst(paths)
  if (!bytes) return null
  const found: StepFound = { count: 0, hits: [] }
  const reader = createEntryReader()
  const joiner = createLineJoiner()
  let reported = { count: 0, at: -Infinity }
  const lookAt = (entries: readonly Line[]): void => {
    const began = entries[0]?.began
    if (began !== undefined) found.began ??= began
    searchLines(joiner.push(entries), maxHits, found)
  }
  for await (const piece of bytes) {
    lookAt(reader.push(piece))
    if (found.count === reported.count || performance.now() - reported.at < reportIntervalMs) continue
    reported = { count: found.count, at: performance.now() }
    post({ found, done: false })
  }
  lookAt(reader.end())
  searchLines(joiner.end(), maxHits, found)
  return { found, done: true }
}

parentPort?.on('message', (job: StepJob) => {
  void search(job)
    .catch((): StepAnswer => null)
    .then(post)
})
