import { expect, it } from 'vitest'

import { remedyOf } from './remedy.ts'

it.each([
  ['configuration: .drone.yml not found at 1234', /^Commit a pipeline file/],
  ['configuration: ci.yml is empty at 1234', /^Write a pipeline/],
  ['configuration: .drone.star is Starlark, which this server does not read', /^Commit a pipeline file in YAML/],
  ['configuration: ci.jsonnet is Jsonnet, which this server does not read', /^Commit a pipeline file in YAML/],
  ['configuration: git cannot read /x', /^Check that the repository/],
  ['yaml: line 3: no', /^Correct the file/],
  ['linter: duplicate pipeline names', /^Correct the file/],
])('%s: %s', (error, words) => expect(remedyOf(error)).toMatch(words))
