// Makes docs/specification-tests.md, the table of sentences and their tests, from the titles of the
// tests that passed. A test names the sentences that it shows by their ids in square brackets:
// `[S2.routes.16]`, `[F.errors.1]`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/project.mjs'

const idsFile = join(root, 'docs/specification-ids.md')
const tableFile = join(root, 'docs/specification-tests.md')

const picturesFolder = join(root, 'docs/pictures')

/**
 * The rows `| id | sentence |` of a page. A third cell names a picture, for sentences that no test
 * can show.
 */
export function sentencesOf(page) {
  return [...page.matchAll(/^\| ([SF][\w.-]*\.\d+) \| (.+?) \|(?: (\S.*?) \|)?$/gm)].map(([, id, text, picture]) => ({
    id,
    text,
    picture,
  }))
}

/** The tests by id, in a stable order. */
export function testsById(tests) {
  const byId = new Map()
  for (const test of tests.filter(({ skipped }) => !skipped)) {
    for (const [, id] of test.title.matchAll(/\[([SF][\w.-]*\.\d+)\]/g)) {
      const entry = byId.get(id) ?? { passed: new Set(), failed: new Set() }
      const name = test.title
        .replaceAll(/(\s*\[[SF][\w.-]*\.\d+\]\s*)+/g, ' ')
        .replace(/ @system$/, '')
        .trim()
      entry[test.ok ? 'passed' : 'failed'].add(name.replaceAll('|', '\\|'))
      byId.set(id, entry)
    }
  }
  return byId
}

/** The page, and the ids that no test shows, that a failed test names, or that do not exist. */
export function tableOf(sentences, tests, pictureExists = () => true) {
  const byId = testsById(tests)
  const known = new Set(sentences.map((sentence) => sentence.id))
  const pictured = (picture) => picture !== undefined && pictureExists(picture)
  const shown = ({ id, picture }) => pictured(picture) || (byId.get(id)?.passed.size ?? 0) > 0
  const rows = sentences.map(({ id, text, picture }) => {
    const names = [...(byId.get(id)?.passed ?? [])].toSorted((a, b) => a.localeCompare(b, 'en'))
    return `| ${id} | ${text} | ${[...names, ...(picture ? [picture] : [])].join('<br>') || '**none yet**'} |`
  })
  const page = [
    '# The specification and its tests',
    '',
    'Made by `npm test -- --all` from the titles of the tests that passed; the sentences stand in [specification-ids.md](specification-ids.md).',
    '',
    '| id | sentence | shown by |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
  return {
    page,
    missing: sentences.filter((sentence) => !shown(sentence)).map(({ id }) => id),
    failing: [...byId].filter(([, entry]) => entry.failed.size > 0).map(([id]) => id),
    unknown: [...byId.keys()].filter((id) => !known.has(id)),
  }
}

const say = (what, ids) => ids.length > 0 && console.log(`${what} (${ids.length}): ${ids.join(' ')}`)
const pictureExists = (picture) => existsSync(join(picturesFolder, picture.replace(/^picture:\s*/, '')))
const sentences = () => sentencesOf(readFileSync(idsFile, 'utf8'))

/**
 * After a whole run: writes the table and prints what is missing. Returns whether every sentence
 * has a passing test and every id exists.
 */
export function writeTable(tests) {
  const { page, missing, failing, unknown } = tableOf(sentences(), tests, pictureExists)
  writeFileSync(tableFile, page)
  say('sentences without a passing test', missing)
  say('sentences with a failing test', failing)
  say('ids that do not exist', unknown)
  return unknown.length === 0 && failing.length === 0 && missing.length === 0
}

const isTestFile = (file) => /\.(?:test\.(?:ts|tsx|mjs)|e2e\.ts)$/.test(file) && !file.includes('node_modules')

/**
 * Without running tests: prints the sentences that no test file names, and ids that do not exist.
 * Returns whether there are none.
 */
export function checkNames() {
  const tests = ['api', 'cause', 'server', 'web', 'e2e', 'bench'].flatMap((part) =>
    readdirSync(join(root, part), { recursive: true })
      .map(String)
      .filter(isTestFile)
      .map((file) => ({ title: readFileSync(join(root, part, file), 'utf8'), ok: true })),
  )
  const { missing, unknown } = tableOf(sentences(), tests, pictureExists)
  say('sentences without a test', missing)
  say('ids that do not exist', unknown)
  return unknown.length === 0 && missing.length === 0
}
