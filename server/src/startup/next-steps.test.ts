import { expect, test } from 'vitest'
import { nextSteps } from './next-steps.ts'

const url = 'https://ci.example.com'
const sample = { all: 1, active: 1, first: 'sample/hello' }

test('with a forge, suggests a sync', () => {
  expect(nextSteps(sample, { folder: undefined, forge: 'Gogs' }, url)[1]).toBe(
    'your own repositories of Gogs: sign in, press Sync and activate them on their pages',
  )
})

test('without a forge, suggests the option for a folder', () => {
  expect(nextSteps(sample, { folder: undefined }, url)[1]).toContain('restart with "npm start -- --repos FOLDER"')
  expect(nextSteps({ ...sample, first: null }, { folder: '/srv/git' }, url)[0]).toContain('at /srv/git/{namespace}')
})
