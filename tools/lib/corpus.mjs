// The recorded logs of cause/corpus: one archive per part, and its labels beside it
// (cause/corpus/README.md).
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { root } from './project.mjs'
import { packTar, unpackTar } from './tar.mjs'

const folder = join(root, 'cause/corpus')
const archiveOf = (part) => join(folder, `${part}.tar.br`)
const labelsOf = (part) => join(folder, `${part}.json`)

/** The parts: rules are written for the open logs, and evaluated with the sealed ones. */
export const parts = ['open', 'sealed']

/** The logs of a part, by name; empty if the part has none. */
export function readLogs(part) {
  if (!existsSync(archiveOf(part))) return new Map()
  const files = unpackTar(brotliDecompressSync(readFileSync(archiveOf(part))))
  return new Map([...files].map(([file, bytes]) => [file.replace(/\.log$/, ''), bytes.toString('utf8')]))
}

/** One log of the open part. */
export function readLog(name) {
  const text = readLogs('open').get(name)
  if (text === undefined) throw new Error(`${name}: no such log in the corpus`)
  return text
}

/**
 * The labels of a part, by the name of the log: tool, exit code, error lines. Developers wrote
 * them.
 */
export function readLabels(part) {
  return existsSync(labelsOf(part)) ? JSON.parse(readFileSync(labelsOf(part), 'utf8')) : {}
}

/** Brotli with a window of 16 MiB: logs of the same tool are similar, but far apart. */
const compress = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })

/** Writes the archive of a part and its labels, one per line, both sorted by name. */
export function writePart(part, logs, labels) {
  const files = [...logs].map(([name, text]) => [`${name}.log`, Buffer.from(text)])
  writeFileSync(archiveOf(part), compress(packTar(files)))
  const names = Object.keys(labels).toSorted((a, b) => (a < b ? -1 : 1))
  const rows = names.map((name) => `  ${JSON.stringify(name)}: ${JSON.stringify(labels[name])}`)
  writeFileSync(labelsOf(part), `{\n${rows.join(',\n')}\n}\n`)
}

/** Why a label does not match its log; `undefined` if it does. */
export function faultOf(text, { exit, lines }) {
  const count = text.replace(/\n$/, '').split('\n').length
  if (!Number.isInteger(exit)) return 'the exit code is missing'
  if (exit !== 0 && lines.length === 0) return 'a failed step needs the line of its cause'
  if (exit === 0 && lines.length > 0) return 'a step that passed has no cause'
  const wrong = lines.find((line) => !Number.isInteger(line) || line < 1 || line > count)
  return wrong === undefined ? undefined : `line ${wrong} is not in the log, which has ${count} lines`
}
