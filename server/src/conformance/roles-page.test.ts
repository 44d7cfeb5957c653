import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { access } from '../http/access.ts'
import { rolesPage } from './roles-page.ts'

const file = new URL('../../../docs/roles.md', import.meta.url)

it('docs/roles.md is current', () => {
  if (process.env['UPDATE_DOCS']) writeFileSync(file, rolesPage())
  expect(readFileSync(file, 'utf8'), 'run this test with UPDATE_DOCS=1').toBe(rolesPage())
})

it('names every route once', () => {
  const rows = rolesPage().split('\n')
  for (const [route, level] of Object.entries(access)) {
    expect(rows.filter((row) => row.includes(`\`${route}\``))).toEqual([`| \`${route}\` | ${level} |`])
  }
})
