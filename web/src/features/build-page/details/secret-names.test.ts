import { expect, it } from 'vitest'

import { secretNames } from './secret-names.ts'

it('finds the names in a file, each once, in either style', () => {
  const text = [
    'steps:',
    '- name: ship',
    '  environment:',
    '    TOKEN: {from_secret: npm_token}',
    '    KEY:',
    '      from_secret: "deploy-key"',
    "    AGAIN: { from_secret: 'npm_token' }",
    '    # OLD: {from_secret: old_token}',
    '  commands: [echo from_secret]',
  ].join('\n')
  expect(secretNames(text)).toEqual(['deploy-key', 'npm_token'])
  expect(secretNames('')).toEqual([])
})
