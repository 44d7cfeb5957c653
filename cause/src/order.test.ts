import { describe, expect, test } from 'vitest'

import { createFinder } from './finder.ts'
import { inOrder } from './order.ts'

const decisive = (line: number, score: number, text: string, reason = 'words') => ({ line, score, text, reason })
const linesOf = (found: readonly { line: number }[]): number[] => found.map(({ line }) => line)

describe('the order of error lines', () => {
  test('a rule’s match stays first, whatever the form of the others', () => {
    const known = decisive(3, 78, 'Error: the deployment failed', 'error')
    expect(linesOf(inOrder([known, decisive(9, 70, "cannot open 'cart.toml': no such file")]))).toEqual([3, 9])
  })

  test('without a diagnosis by a rule, a line that names something comes before a summary', () => {
    const sum = decisive(8, 36, '2 files failed')
    expect(linesOf(inOrder([sum, decisive(3, 36, "field 'total' is missing in cart.json")]))).toEqual([3, 8])
  })

  test('of several matches of a rule, the first stays before the others', () => {
    const found = [decisive(2, 55, 'wrong value'), decisive(3, 55, "wrong value 'a', expected 'b'")]
    expect(linesOf(inOrder(found))).toEqual([2, 3])
  })

  test('after the first line, different messages come before similar ones', () => {
    const found = [
      decisive(2, 90, 'src/a.c:1:2: error: one', 'compiler'),
      decisive(4, 90, 'src/b.c:3:4: error: one', 'compiler'),
      decisive(6, 84, "undefined reference to 'total'", 'linker'),
    ]
    expect(linesOf(inOrder(found))).toEqual([2, 6, 4])
  })

  test('a summary scores less than the weight of its rule', () => {
    const sum = decisive(8, 44, '3 files were looked at', 'end')
    expect(linesOf(inOrder([sum, decisive(3, 30, 'the total is wrong here')]))).toEqual([3, 8])
  })

  test('the form adds nothing to commands and to lines below 30, except for last lines', () => {
    const missing = "cannot open 'cart.toml': no such file"
    const plain = 'the total of the cart went wrong'
    const first = (text: string, score: number, reason: string) =>
      linesOf(inOrder([decisive(9, score + 5, plain, 'error'), decisive(3, score, text, reason)]))[0]
    expect(first(missing, 40, 'command')).toBe(9)
    expect(first(missing, 29, 'words')).toBe(9)
    expect(first(missing, 30, 'words')).toBe(3)
    expect(first(missing, 29, 'end')).toBe(3)
  })

  test('among lines of equal rank, one of each kind comes first', () => {
    const found = [
      decisive(1, 90, 'the first thing of all', 'panic'),
      decisive(5, 70, 'here it went wrong', 'error'),
      decisive(6, 70, 'there it went wrong', 'assertion'),
      decisive(9, 60, 'another thing went wrong', 'place'),
    ]
    expect(linesOf(inOrder(found))).toEqual([1, 5, 9, 6])
  })

  test('no line is lost or repeated', () => {
    const found = Array.from({ length: 40 }, (_, index) => decisive(index + 1, 90 - index, `line ${index}: not found`))
    expect(linesOf(inOrder(found)).toSorted((a, b) => a - b)).toEqual(linesOf(found))
    expect(inOrder([])).toEqual([])
  })

  test('the third line is of a different kind than the first two', () => {
    const kinds: [line: number, score: number, reason: string, text: string][] = [
      [3, 90, 'assertion', 'expected 41 to be 42'],
      [4, 88, 'assertion', 'expected 7 to be 8'],
      [9, 86, 'assertion', 'expected 1 to be 2'],
      [5, 70, 'error', 'ERROR totals'],
      [20, 41, 'end', 'the cart is stale'],
    ]
    const lines = kinds.map(([line, score, reason, text]) => ({ line, text, reason, score }))
    expect(inOrder(lines).map(({ line }) => line)).toEqual([3, 4, 20, 9, 5])
  })

  test('the finder returns its lines in this order', () => {
    const finder = createFinder()
    finder.push('+ ./check\n2 files are wrong\nwrong: expected "b" in cart.json\nchecked')
    expect(finder.end({ exitCode: 1 })[0]?.line).toBe(3)
  })
})
