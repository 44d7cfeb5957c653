// The tables in README.md, generated from results.json, which has the last result of every row.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const benchFolder = join(import.meta.dirname, '..')
const resultsFile = join(benchFolder, 'results.json')
const readmeFile = join(benchFolder, 'README.md')

export const readResults = () => (existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {})

export function keepResults(group, name, summaries) {
  const results = readResults()
  results[`${group}/${name}`] = { date: new Date().toISOString().slice(0, 10), rows: summaries }
  const sorted = Object.fromEntries(Object.entries(results).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(resultsFile, `${JSON.stringify(sorted, null, 2)}\n`)
}

const shortNumber = (value) =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(value < 10 ? 2 : 3)))

/** A negative target is a minimum. Rows of another server have no target. */
const meetsTarget = (value, target) => (target < 0 ? value >= -target : value <= target)
export const verdictOf = (value, target) => (target === undefined ? '–' : meetsTarget(value, target) ? 'met' : 'missed')
export const targetText = (target, unit) =>
  target === undefined ? unit : `${target < 0 ? '≥' : '≤'} ${Math.abs(target).toLocaleString('en-US')} ${unit}`.trim()

const line = (cells) => `| ${cells.join(' | ')} |`

export function table(group, measures) {
  const results = readResults()
  const lines = [
    line(['work', 'before', 'target', 'median', 'min', 'max', 'runs', '']),
    line(['---', '---:', '---:', '---:', '---:', '---:', '---:', '---']),
  ]
  for (const measure of measures) {
    const found = results[`${group}/${measure.name}`]?.rows
    for (const [key, work, unit, target, before = '–'] of measure.rows) {
      const row = found?.[key]
      const figures = row
        ? [
            shortNumber(row.median),
            shortNumber(row.min),
            shortNumber(row.max),
            row.runs,
            verdictOf(row.median, target).replace('missed', '**missed**'),
          ]
        : ['', '', '', '', 'not measured']
      lines.push(line([work, before, targetText(target, unit), ...figures]))
    }
  }
  return lines.join('\n')
}

const hows = (measures) =>
  measures.map((measure) => `- **${measure.name}** (${measure.rows[0][1]}): ${measure.how}.`).join('\n')

/** Writes the table and the explanations between their markers. */
export function writeReadme(group, measures) {
  const text = readFileSync(readmeFile, 'utf8')
  const [startMark, end] = [`<!-- ${group}: made by bench/run.mjs -->`, `<!-- end of ${group} -->`]
  const [from, to] = [text.indexOf(startMark), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`README.md has no marks for ${group}`)
  const inside = `${startMark}\n\n${table(group, measures)}\n\nHow each figure is taken:\n\n${hows(measures)}\n\n`
  writeFileSync(readmeFile, text.slice(0, from) + inside + text.slice(to))
}
