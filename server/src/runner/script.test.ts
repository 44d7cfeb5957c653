import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { quote, stepScript } from '../pipeline/shell.ts'

const sh = (script: string) => execFileSync('/bin/sh', ['-e', '-c', script], { input: '' }).toString()

test.each(["it's", '$HOME `id` "x"', String.raw`a\nb\\c %s %d`, '-n x', 'two\nlines', '*', "'''", ''])(
  'shows %j exactly',
  (text) => {
    expect(sh(`printf '%s' ${quote(text)}`)).toBe(text)
    expect(sh(stepScript([`: ${quote(text)}`]))).toBe(`+ : ${quote(text)}\n`)
  },
)

test('ends at the first command that fails', () => {
  const { status, stdout } = spawnSync('/bin/sh', ['-c', stepScript(['echo one', 'false', 'echo two'])])
  expect(status).toBe(1)
  expect(stdout.toString()).toBe('+ echo one\none\n+ false\n')
})
