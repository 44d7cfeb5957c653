import { describe, expect, it } from 'vitest'
import { splitDocuments } from './documents.ts'

const texts = (file: string) => splitDocuments(file).map(({ text }) => text)

describe('splitDocuments', () => {
  it('keeps complete lines, without the line ends of other systems', () => {
    expect(texts('a\r\nb')).toEqual(['a\nb\n'])
    expect(texts('a\n\n')).toEqual(['a\n\n'])
    expect(texts('a\r\r\n')).toEqual(['a\r\n'])
  })
  it('cuts where a line starts with ---, and drops that line', () => {
    expect(texts('a\n---b\nc\n --- d\n')).toEqual(['a\n', 'c\n --- d\n'])
    expect(texts('---\n---\n')).toEqual(['', ''])
  })
  it('ends where a line starts with ...', () => {
    expect(texts('a\n....b\nc\n---\nd\n')).toEqual(['a\n'])
    expect(texts('a\n ...\nb\n')).toEqual(['a\n ...\nb\n'])
  })
  it('knows how many lines are before each', () => {
    const offsets = (file: string) => splitDocuments(file).map(({ offset }) => offset)
    expect(offsets('a\nb\n---\nc\n---\n')).toEqual([0, 3, 5])
    expect(offsets('---\na\n')).toEqual([1])
  })

  it('of 1,000 documents at most', () => {
    expect(splitDocuments('---\n'.repeat(1_000))).toHaveLength(1_000)
    expect(() => splitDocuments('---\n'.repeat(1_001))).toThrow('yaml: the file has more than 1000 documents')
  })
  it('of a million characters at most', () => {
    const line = `#${'x'.repeat(998)}\n`
    expect(texts(line.repeat(1_000))).toEqual([line.repeat(1_000)])
    expect(() => splitDocuments(`${line.repeat(1_000)}x`)).toThrow('yaml: the file is larger than 1000000 characters')
  })
  it('ends without an error at a line of 65,536 bytes', () => {
    const after = (line: string) => texts(`a\n${line}\nb`)
    expect(after('x'.repeat(65_535))).toEqual([`a\n${'x'.repeat(65_535)}\nb\n`])
    expect(after('x'.repeat(65_536))).toEqual(['a\n'])
    // Three bytes each.
    expect(after('€'.repeat(21_845))).toEqual([`a\n${'€'.repeat(21_845)}\nb\n`])
    expect(after(`${'€'.repeat(21_845)}x`)).toEqual(['a\n'])
  })
})
