import { describe, expect, it } from 'vitest'
import { parsePipelines } from '../pipeline/parse.ts'
import { excerptsOf } from './source-excerpts.ts'

const errorOf = (text: string): string => {
  try {
    parsePipelines(text)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  throw new Error('the file is good')
}
const marked = (text: string): string[] =>
  excerptsOf(errorOf(text), text).map(({ line, lines }) => lines.find(({ number }) => number === line)?.text ?? '')

describe('the lines that an error of a file names', () => {
  const head = 'kind: pipeline\ntype: exec\nname: a\n'

  it('are those of the fault, in the first document and in later ones', () => {
    expect(marked(`${head}steps:\n- name: x\n\tcommands: [a]\n`)).toEqual(['\tcommands: [a]'])
    expect(marked(`${head}steps: []\n---\nkind: pipeline\nname: b\nsteps: 7\n`)).toEqual(['steps: 7'])
    expect(marked(`${head}concurrency: 1\nclone: [x]\n`)).toEqual(['concurrency: 1', 'clone: [x]'])
    expect(marked(`${head}<<<<<<< ours\nsteps: []\n>>>>>>> theirs\n`)).toEqual(['<<<<<<< ours'])
  })

  it('have three lines before and three behind', () => {
    const text = `${head}# 4\n# 5\nsteps: 7\n# 7\n# 8\n# 9\n# 10\n`
    const [found] = excerptsOf(errorOf(text), text)
    expect(found).toEqual({
      line: 6,
      lines: ['name: a', '# 4', '# 5', 'steps: 7', '# 7', '# 8', '# 9'].map((line, at) => ({
        number: at + 3,
        text: line,
      })),
    })
  })

  it('are few and short, whatever is pushed', () => {
    const long = `steps: ${'x'.repeat(50_000)}`
    const text = `${head}${long}\n`
    const [found] = excerptsOf(errorOf(text), text)
    expect(found?.lines.at(-1)?.text).toBe(`${long.slice(0, 200)}…`)
    const many = Array.from({ length: 90 }, (_, index) => `line ${index + 1}: no`).join('\n')
    expect(excerptsOf(many, 'a\n'.repeat(100))).toHaveLength(3)
  })

  it('are none where the error names none, or the file has no such line', () => {
    expect(excerptsOf('linter: duplicate pipeline names', 'a\n')).toEqual([])
    expect(excerptsOf('yaml: line 9: no', 'a\nb\n')).toEqual([])
  })
})
