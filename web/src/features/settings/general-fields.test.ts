import type { Repo } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { fieldsOf, notTaken } from './general-fields.ts'

const repo = {
  ignore_pull_requests: true,
  ignore_forks: false,
  protected: true,
  trusted: false,
  visibility: 'internal',
  timeout: 60,
  config_path: '.drone.yml',
  slug: 'acme/web',
} as Repo

test('saving sends seven fields and nothing else', () => {
  expect(fieldsOf(repo)).toEqual({
    ignore_pull_requests: true,
    ignore_forks: false,
    protected: true,
    trusted: false,
    visibility: 'internal',
    timeout: 60,
    config_path: '.drone.yml',
  })
})

test('a timeout that the server dropped is named', () => {
  expect(notTaken({ ...fieldsOf(repo), timeout: 90 }, repo)).toEqual(['Timeout'])
  expect(notTaken(fieldsOf(repo), repo)).toEqual([])
  expect(notTaken(fieldsOf(repo), undefined)).toEqual([])
})
