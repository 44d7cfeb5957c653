// Prints Stryker's results: numbers per file, and a line for each fault that no test detected.
import { readFileSync } from 'node:fs'

const noticed = new Set(['Killed', 'Timeout'])
const lived = new Set(['Survived', 'NoCoverage'])

const percent = (part, whole) => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`)
const oneLine = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 100)

/** The source text of a range. */
function original(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  return oneLine(lines.join(' '))
}

/** `every`: only every nth fault was tried (`runner.mjs`); the others do not count. */
export function report(file, every) {
  const { files } = JSON.parse(readFileSync(file, 'utf8'))
  const sum = { all: 0, tried: 0, noticed: 0 }
  const rows = []
  for (const [path, { mutants, source }] of Object.entries(files)) {
    const all = mutants.filter(({ status }) => status !== 'Ignored')
    const tried = all.filter(({ id, status }) => Number(id) % every === 0 && (noticed.has(status) || lived.has(status)))
    const good = tried.filter(({ status }) => noticed.has(status))
    rows.push([path, all.length, tried.length, good.length])
    sum.all += all.length
    sum.tried += tried.length
    sum.noticed += good.length
    for (const { location, replacement, status, mutatorName } of tried) {
      if (!lived.has(status)) continue
      const what = `${original(source, location)} → ${oneLine(replacement ?? mutatorName)}`
      console.log(
        `${path}:${location.start.line}:${location.start.column} ${status === 'NoCoverage' ? '(no test) ' : ''}${what}`,
      )
    }
  }
  console.log('\nfaults  tried  noticed')
  for (const [path, all, tried, good] of [...rows, ['all', sum.all, sum.tried, sum.noticed]])
    console.log(`${String(all).padStart(6)} ${String(tried).padStart(6)} ${percent(good, tried).padStart(8)}  ${path}`)
}
