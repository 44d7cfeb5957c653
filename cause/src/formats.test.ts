/**
 * Tool output that the corpus has no recording of, written manually in each tool's format:
 * `### NAME EXIT`, then the lines. Lines marked with `»` are correct results; any of them is
 * accepted.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

import { createFinder } from './finder.ts'

const mark = '»'

const casesOf = (file: string) =>
  readFileSync(join(import.meta.dirname, 'formats', file), 'utf8')
    .split(/^### /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.replace(/\n$/, '').split('\n')
      const [name = '', exit] = title.split(' ')
      return {
        name,
        exitCode: Number(exit),
        text: lines.map((line) => line.replace(mark, '')).join('\n'),
        truth: lines.flatMap((line, index) => (line.startsWith(mark) ? [index + 1] : [])),
      }
    })

/** A correct line is among the first three results, but not the first. */
const second = new Set(
  (
    'precommit sam-deploy timeout-wrapper bundle-words pod gnu-parallel cron api-break retried-different ' +
    'two-lines-told license-headers two-phase two-commands-or make-quiet-recipe go-generate-drift artillery-own bazel moon'
  ).split(' '),
)
/** No correct line is found, because it has no error word. */
const missed = new Set(
  (
    'pretty-json dirty-tree nx-quiet quiet-then-uploads order wrapped-long lines-of-file go-wrap rake nohup-log ' +
    'deprecations-then-quiet earthly'
  ).split(' '),
)

describe.each([
  'compilers-and-tests.txt',
  'pipelines-and-tools.txt',
  'situations.txt',
  'neighbours.txt',
  'forms.txt',
  'own-scripts.txt',
  'everyday.txt',
])('%s', (file) => {
  test.each(casesOf(file))('$name', ({ name, exitCode, text, truth }) => {
    const finder = createFinder()
    finder.push(text)
    const marks = finder.end({ exitCode }).slice(0, second.has(name) ? 3 : 1)
    expect(
      marks.some(({ line }) => truth.includes(line)),
      marks.map(({ line, text: message }) => `${line}: ${message}`).join('\n'),
    ).toBe(!missed.has(name))
  })
})
