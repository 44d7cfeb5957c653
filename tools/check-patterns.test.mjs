import { describe, expect, test } from 'vitest'
import { faultsOf, slowness } from './check-patterns.mjs'

const slow = [
  // The two that once blocked the server for half a minute.
  ['^[-+]?(?:\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)(?:[eE][-+]?\\d+)?$', ''],
  ['\\n+$', ''],
  ['\\s+$', ''],
  ['(?:a+)+$', ''],
  ['^(?:\\w+\\s?)*$', ''],
  ['\\d+\\.?\\d*x', ''],
  ['foo.*bar', ''],
  ['<script[^>]*>', 'g'],
  ['\\$\\{[^}]*\\}', ''],
  ['\\/\\*[^]*?\\*\\/', 'g'],
  ['^a[^]*b', 'm'],
]
const linear = [
  ['^\\s*\\w', ''],
  ['(?:^|,)x*y', ''],
  ['"[^"]*"', 'g'],
  ['^ref: refs\\/heads\\/(.+)$', 'm'],
  ['https?:\\/\\/\\S+', 'g'],
  ['(\\d+)(h|m|s)', 'gy'],
  ['[a-z]{1,20}$', ''],
  ['^(?:y|yes|no)$', ''],
]

describe('a pattern', () => {
  test.each(slow)('/%s/%s takes more than linear time', (pattern, flags) => {
    expect(slowness(pattern, flags)).not.toEqual([])
  })
  test.each(linear)('/%s/%s takes linear time', (pattern, flags) => {
    expect(slowness(pattern, flags)).toEqual([])
  })
})

test('is reported with its file, line and the reason', () => {
  expect(faultsOf('server/src/x.ts', 'const a = 1\nconst b = /\\n+$/\nconst c = /^x/')).toEqual([
    'server/src/x.ts:2: /\\n+$/ is not linear: \\n+ is tried again from each place that it has already gone through',
  ])
  expect(faultsOf('web/src/x.tsx', 'const a = <p>{new RegExp("x*$").source}</p>')).toHaveLength(1)
  expect(faultsOf('server/src/x.ts', 'const a = (text: string) => new RegExp(`^${text}`)')).toEqual([
    'server/src/x.ts:1: a pattern that is made at run time cannot be checked',
  ])
})
