import { expect, it } from 'vitest'

import { remedyOf } from './remedy.ts'

it.each([
  ['configuration: .drone.yml not found at 1234', /^Commit a pipeline file/],
  ['configuration: ci.yml is empty at 1234', /^Add a pipeline/],
  ['configuration: .drone.star is Starlark, which this server does not read', /^Commit a YAML pipeline file/],
  ['configuration: ci.jsonnet is Jsonnet, which this server does not read', /^Commit a YAML pipeline file/],
  ['configuration: git cannot read the repository: x', /^Check that the server/],
  ['yaml: line 3: no', /^Fix the file/],
  ['linter: duplicate pipeline names', /^Fix the file/],
])('%s: %s', (error, words) => expect(remedyOf(error)).toMatch(words))
