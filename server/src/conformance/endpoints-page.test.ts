import { readFileSync, writeFileSync } from 'node:fs'
import { capabilities } from '@flightdeck/api/capabilities'
import { expect, it } from 'vitest'
import { endpointsPage } from './endpoints-page.ts'

const docs = new URL('../../../docs/api/', import.meta.url)
const file = new URL('endpoints.md', docs)

it('docs/api/endpoints.md is current', () => {
  if (process.env['UPDATE_DOCS']) writeFileSync(file, endpointsPage())
  expect(readFileSync(file, 'utf8'), 'run this test with UPDATE_DOCS=1').toBe(endpointsPage())
})

it('docs/api/shapes.md explains every capability, and no other', () => {
  const page = readFileSync(new URL('shapes.md', docs), 'utf8')
  const [, table = ''] = page.split('| capability | what the server offers |\n|---|---|\n')
  const rows = table.split('\n\n', 1)[0]?.split('\n') ?? []
  expect(rows.map((row) => row.split('|')[1]?.trim())).toEqual([...capabilities])
})
