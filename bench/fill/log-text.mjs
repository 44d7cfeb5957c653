// The lines of a generated log: output of compilers, package managers and test runners, about 90
// bytes each, some colored.
import { createWriteStream, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { random } from '../lib/random.mjs'

const words =
  'compiling linking resolving module package fetching cached warning unused variable function test suite passed skipped in of the for with from into object build target release debug worker request response socket queue retry'.split(
    ' ',
  )

/** Every hundredth line contains the word `needle`; the last line says that it is the last. */
export function makeLine(index, next) {
  const parts = [`[${String(index).padStart(7, '0')}]`]
  const count = 7 + Math.floor(next() * 9)
  for (let i = 0; i < count; i++) parts.push(words[Math.floor(next() * words.length)])
  if (index % 100 === 99) parts.push('needle')
  const kind = next()
  if (kind < 0.05) parts.push('\u001b[32mok\u001b[0m')
  else if (kind < 0.07) parts.push('\u001b[1;31merror\u001b[0m in \u001b[36msrc/index.ts\u001b[0m:12')
  else if (kind < 0.08) parts.push('https://ci.example.com/job/42')
  return parts.join(' ')
}

/** The rows of a log as the server stores them (architecture.md, "logs"), in chunks. */
function* rows(count) {
  const next = random(count)
  let piece = ''
  for (let pos = 0; pos < count; pos++) {
    const out = pos === count - 1 ? 'the last line of this log\n' : `${makeLine(pos, next)}\n`
    piece += `${pos === 0 ? '[' : '\n,'}${JSON.stringify({ pos, out, time: Math.floor(pos / 1000) })}`
    if (piece.length > 1 << 20) {
      yield piece
      piece = ''
    }
  }
  yield `${piece}]`
}

/** Writes the saved log of a step to a data folder. */
export async function writeLog(data, stepId, count) {
  const folder = join(data, 'logs', String(Math.floor(stepId / 1000)))
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${stepId}.json.gz`)
  await pipeline(Readable.from(rows(count)), createGzip({ level: 6 }), createWriteStream(`${file}.making`))
  renameSync(`${file}.making`, file)
}
