// `npm run bench -- growth [builds repositories …] [--most 1000000]`: the cost of each call as the
// data grows.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepResults, readResults } from '../../lib/readme.mjs'
import { dimensions } from './dimensions.mjs'
import { growthTable } from './table.mjs'

const readme = join(import.meta.dirname, '../../README.md')
const [startMark, end] = ['<!-- growth: made by bench/run.mjs -->', '<!-- end of growth -->']

function write() {
  const results = readResults()
  const tables = dimensions.flatMap(({ name, what }) => {
    const found = results[`growth/${name}`]
    return found ? [`Taken on ${found.date}:\n\n${growthTable(what, found.rows)}`] : []
  })
  const text = readFileSync(readme, 'utf8')
  const [from, to] = [text.indexOf(startMark), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error('README.md has no marks for growth')
  writeFileSync(readme, `${text.slice(0, from)}${startMark}\n\n${tables.join('\n\n')}\n\n${text.slice(to)}`)
}

/** `maxSize` saves disk space or time. */
export async function runGrowth(program, names, maxSize = Infinity) {
  const chosen = dimensions.filter(({ name }) => names.length === 0 || names.includes(name))
  for (const dimension of chosen) {
    const { name, what, sizes } = dimension
    console.log(`\n${what}`)
    const points = []
    await dimension.measure(
      program,
      sizes.filter((size) => size <= maxSize),
      (size, calls) => {
        points.push({ size, calls })
        const texts = Object.entries(calls).map(([call, { ms }]) => `${call} ${ms.toPrecision(2)}`)
        console.log(`  ${size.toLocaleString('en-US')}: ${texts.join(', ')}`)
        // Saved immediately, so that an interrupted run keeps its results.
        if (points.length > 1) keepResults('growth', name, points)
      },
    )
  }
  write()
}
