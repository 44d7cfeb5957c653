// Writes the option table of the README from server/src/options/help.ts, between its two markers.
// With --check it only compares.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib/project.mjs'

const readme = join(root, 'README.md')
const begin = '<!-- options: made by tools/readme.mjs -->\n'
const end = '<!-- end of options -->'

/** The table as the server's options print it. They are TypeScript, so they are bundled first. */
async function optionTable() {
  const { rolldown } = await import('rolldown')
  const folder = mkdtempSync(join(root, 'node_modules', '.options-'))
  try {
    const bundle = await rolldown({ input: join(root, 'server/src/options/help.ts'), platform: 'node' })
    await bundle.write({ file: join(folder, 'options.mjs'), format: 'esm' })
    await bundle.close()
    const module = await import(pathToFileURL(join(folder, 'options.mjs')).href)
    return module.optionTable()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The text with a new table between the markers. */
export function withTable(text, table) {
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error('README.md has lost the markers of its option table')
  return text.slice(0, from + begin.length) + table + text.slice(to)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const before = readFileSync(readme, 'utf8')
  const after = withTable(before, await optionTable())
  if (!process.argv.includes('--check')) writeFileSync(readme, after)
  else if (before !== after) {
    console.log("README.md's option table differs from server/src/options/help.ts: run node tools/readme.mjs")
    process.exitCode = 1
  }
}
