import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { schemasPage } from './schemas-page.ts'

const file = new URL('../../../docs/api/schemas.md', import.meta.url)
const page = await schemasPage()

it('docs/api/schemas.md is current', () => {
  if (process.env['UPDATE_DOCS']) writeFileSync(file, page)
  expect(readFileSync(file, 'utf8'), 'run this test with UPDATE_DOCS=1').toBe(page)
})

it.each([
  ['Runners', 'kept?'],
  ['Runners', 'dockerStart?'],
  ['Ended', '"error"'],
  ['BuildHistory', 'passed?'],
  ['User', 'capabilities?'],
])('%s tells %s', (name, text) => {
  const [, rest = ''] = page.split(`\n## ${name}\n`)
  expect(rest.split('\n## ', 1)[0]).toContain(text)
})
