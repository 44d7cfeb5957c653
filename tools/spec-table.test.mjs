import { expect, test } from 'vitest'
import { sentencesOf, tableOf } from './spec-table.mjs'

const page = `
| id | sentence |
| --- | --- |
| S2.routes.1 | Home |
| S9.sizes.2 | 170 px | picture: repository-light-1440.png |
| F.errors.1 | A blank page |
`

test('reads the sentences, and the picture of a sentence that no test can show', () => {
  expect(sentencesOf(page)).toEqual([
    { id: 'S2.routes.1', text: 'Home', picture: undefined },
    { id: 'S9.sizes.2', text: '170 px', picture: 'picture: repository-light-1440.png' },
    { id: 'F.errors.1', text: 'A blank page', picture: undefined },
  ])
})

test('reports shown, missing, failing and unknown rows', () => {
  const tests = [
    { title: 'dashboard › [S2.routes.1] [S2.routes.7] home is for those who signed in', ok: true },
    { title: '[F.errors.1] never blank', ok: false },
  ]
  const table = tableOf(sentencesOf(page), tests)
  expect(table.page).toContain('| S2.routes.1 | Home | dashboard › home is for those who signed in |')
  expect(table.missing).toEqual(['F.errors.1'])
  expect(table.failing).toEqual(['F.errors.1'])
  expect(table.unknown).toEqual(['S2.routes.7'])
})

test('a skipped test neither shows nor fails a sentence; a picture must exist', () => {
  const tests = [{ title: '[S2.routes.1] home', ok: false, skipped: true }]
  const table = tableOf(sentencesOf(page), tests, (picture) => picture.includes('dark'))
  expect(table.missing).toEqual(['S2.routes.1', 'S9.sizes.2', 'F.errors.1'])
  expect(table.failing).toEqual([])
})
