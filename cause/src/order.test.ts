import { describe, expect, test } from 'vitest'

import { createFinder } from './finder.ts'
import { inOrder } from './order.ts'

const one = (line: number, score: number, text: string, reason = 'words') => ({ line, score, text, reason })
const linesOf = (found: readonly { line: number }[]): number[] => found.map(({ line }) => line)

describe('the order of decisive lines', () => {
  test('a rule’s match stays first, whatever the form of the others', () => {
    const known = one(3, 78, 'Error: the deployment failed', 'error')
    expect(linesOf(inOrder([known, one(9, 70, "cannot open 'cart.toml': no such file")]))).toEqual([3, 9])
  })

  test('where no rule knew the diagnosis, the line that names something goes before a sum', () => {
    const sum = one(8, 36, '2 files failed')
    expect(linesOf(inOrder([sum, one(3, 36, "field 'total' is missing in cart.json")]))).toEqual([3, 8])
  })

  test('of lines that a rule finds alike the first stays before the others', () => {
    const found = [one(2, 55, 'wrong value'), one(3, 55, "wrong value 'a', expected 'b'")]
    expect(linesOf(inOrder(found))).toEqual([2, 3])
  })

  test('behind the first, what says something else goes before what says the same again', () => {
    const found = [
      one(2, 90, 'src/a.c:1:2: error: one', 'compiler'),
      one(4, 90, 'src/b.c:3:4: error: one', 'compiler'),
      one(6, 84, "undefined reference to 'total'", 'linker'),
    ]
    expect(linesOf(inOrder(found))).toEqual([2, 6, 4])
  })

  test('a sum is worth less than what its rule says', () => {
    const sum = one(8, 44, '3 files were looked at', 'end')
    expect(linesOf(inOrder([sum, one(3, 30, 'the total is wrong here')]))).toEqual([3, 8])
  })

  test('a form adds nothing to what a command says, nor to what is worth less than 30, except to last words', () => {
    const missing = "cannot open 'cart.toml': no such file"
    const plain = 'the total of the cart went wrong'
    const first = (text: string, score: number, reason: string) =>
      linesOf(inOrder([one(9, score + 5, plain, 'error'), one(3, score, text, reason)]))[0]
    expect(first(missing, 40, 'command')).toBe(9)
    expect(first(missing, 29, 'words')).toBe(9)
    expect(first(missing, 30, 'words')).toBe(3)
    expect(first(missing, 29, 'end')).toBe(3)
  })

  test('among lines of equal rank, one of each kind comes first', () => {
    const found = [
      one(1, 90, 'the first thing of all', 'panic'),
      one(5, 70, 'here it went wrong', 'error'),
      one(6, 70, 'there it went wrong', 'assertion'),
      one(9, 60, 'another thing went wrong', 'place'),
    ]
    expect(linesOf(inOrder(found))).toEqual([1, 5, 9, 6])
  })

  test('no line is lost or repeated', () => {
    const found = Array.from({ length: 40 }, (_, index) => one(index + 1, 90 - index, `line ${index}: not found`))
    expect(linesOf(inOrder(found)).toSorted((a, b) => a - b)).toEqual(linesOf(found))
    expect(inOrder([])).toEqual([])
  })

  test('the third place is for another kind of line than the first two are', () => {
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
