// Reads and adds recorded logs (cause/corpus/README.md).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { faultOf, parts, readLabels, readLogs, writePart } from './lib/corpus.mjs'

const usage = `node tools/corpus.mjs list                  names and labels of the open logs
node tools/corpus.mjs show NAME             a log with its line numbers
node tools/corpus.mjs unpack FOLDER         all logs as files
node tools/corpus.mjs add NAME FILE --tool TOOL --exit CODE [--line N]… [--also N]…
  --part sealed                             the part that nobody reads who writes rules`

const stop = (message) => {
  console.error(message)
  process.exit(2)
}

const options = {
  part: { type: 'string', default: 'open' },
  tool: { type: 'string' },
  exit: { type: 'string' },
  line: { type: 'string', multiple: true, default: [] },
  also: { type: 'string', multiple: true, default: [] },
}

function add(part, [name = '', file = ''], { tool, exit, line, also }) {
  if (!/^[\w-]+$/.test(name) || file === '' || !tool || exit === undefined) stop(usage)
  const logs = readLogs(part)
  if (parts.some((other) => readLogs(other).has(name))) stop(`${name} is in the corpus already`)
  const text = readFileSync(file, 'utf8')
  const lines = line.map(Number)
  const label = { tool, exit: Number(exit), part, lines }
  const fault = faultOf(text, label) ?? faultOf(text, { exit: 1, lines: [...lines, ...also.map(Number), 1] })
  if (fault) stop(`${name}: ${fault}`)
  if (lines.length > 0) label.says = text.split('\n')[lines[0] - 1].slice(0, 300)
  if (also.length > 0) label.also = also.map(Number)
  writePart(part, logs.set(name, text), { ...readLabels(part), [name]: label })
  console.log(`${name}: ${JSON.stringify(label)}`)
}

const commands = {
  list: (part) => {
    for (const [name, label] of Object.entries(readLabels(part))) console.log(name, JSON.stringify(label))
  },
  show: (part, [name = '']) => {
    const text = readLogs(part).get(name) ?? stop(`${name} is not in the ${part} part`)
    for (const [index, line] of text.replace(/\n$/, '').split('\n').entries()) console.log(index + 1, line)
  },
  unpack: (part, [folder]) => {
    if (folder === undefined) stop(usage)
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of readLogs(part)) writeFileSync(join(folder, `${name}.log`), text)
  },
  add,
}

const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [command = '', ...words] = positionals
if (!Object.hasOwn(commands, command) || !parts.includes(values.part)) stop(usage)
commands[command](values.part, words, values)
