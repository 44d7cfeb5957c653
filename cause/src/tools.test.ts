/**
 * Error output of tools, and the line that is most relevant. The recordings in `corpus` measure the
 * quality; these explain it.
 */
import { expect, test } from 'vitest'

import { createFinder } from './finder.ts'

interface Case {
  what: string
  exitCode?: number
  lines: readonly string[]
  /** The expected first error line. */
  says: string
}

const cases: readonly Case[] = [
  {
    what: 'the last line of a Python trace, also of an error of their own',
    lines: [
      'Traceback (most recent call last):',
      '  File "/src/a.py", line 9, in <module>',
      '    raise shop.NoStock("sold out")',
      'shop.NoStock: sold out',
    ],
    says: 'shop.NoStock: sold out',
  },
  {
    what: 'what a test expected, not its name and not the sum',
    lines: [
      '1) CartTest::testTotal',
      'Failed asserting that 9 matches expected 10.',
      '',
      'FAILURES!',
      'Tests: 3, Failures: 1.',
    ],
    says: 'Failed asserting that 9 matches expected 10.',
  },
  {
    what: 'a difference has lines that begin as commands do',
    lines: [
      '+ npx jest',
      '  ● equals',
      '    expect(received).toEqual(expected)',
      '- Expected  - 1',
      '+ Received  + 1',
      '+ more',
    ],
    says: '    expect(received).toEqual(expected)',
  },
  {
    what: 'an error that a passing test printed is not that of the one that failed',
    lines: [
      'Error: not a number: abc',
      ' FAIL  src/money.test.ts > keeps thousands',
      'AssertionError: expected 1 to be 2',
    ],
    says: 'AssertionError: expected 1 to be 2',
  },
  {
    what: 'what was tried again and again is not the end of it',
    exitCode: 124,
    lines: [
      ...Array.from({ length: 9 }, (_, i) => `waiting for the database (attempt ${i}): connection refused`),
      'timeout: sending signal TERM to command ./wait-for.sh',
    ],
    says: 'timeout: sending signal TERM to command ./wait-for.sh',
  },
  {
    what: 'a command that fails without a word is its own reason',
    lines: ['+ make', 'error-free build', '+ test -f dist/app.js'],
    says: '+ test -f dist/app.js',
  },
  {
    what: 'tidying up behind it is not',
    lines: ['+ cp a b', "cp: cannot stat 'a': No such file or directory", '+ rm -rf /tmp/x'],
    says: "cp: cannot stat 'a': No such file or directory",
  },
  {
    what: 'the last words of a program before make says that it failed',
    lines: ['error handling: 12 passed', 'the page has no title', 'make: *** [Makefile:4: check] Error 1'],
    says: 'the page has no title',
  },
  {
    what: 'the exit code speaks, too',
    exitCode: 137,
    lines: ['could not read the cache, starting without', 'Killed'],
    says: 'Killed',
  },
  {
    what: 'moments and names of containers before a line are not its own',
    lines: ['#7 2.345 npm error code E404', '#7 2.347 npm error 404 Not Found - GET https://registry.example/x'],
    says: '#7 2.347 npm error 404 Not Found - GET https://registry.example/x',
  },
  {
    what: 'what stands behind a heading',
    lines: ['* What went wrong:', 'Could not determine the dependencies of the task.', '* Try:', '> Run with --info'],
    says: 'Could not determine the dependencies of the task.',
  },
  {
    what: 'the message of an exception, whatever its words, above the first frame',
    lines: ['Closed: shop is on holiday', '    at open (/src/shop.js:3:9)', '    at /src/shop.js:9:1', 'Node.js v20'],
    says: 'Closed: shop is on holiday',
  },
  {
    what: 'not the source that a sign below it points at',
    lines: [
      "  throw new Missing('missing')",
      '        ^',
      '',
      'Missing: no such cart',
      '    at open (/src/shop.js:3:9)',
    ],
    says: 'Missing: no such cart',
  },
  {
    what: 'of tests that failed the first one, however the others say it',
    lines: [
      '✖ adds up',
      'error: two is not three',
      '✖ waits',
      'AssertionError: test timed out after 5 s',
      'panic: late',
    ],
    says: 'error: two is not three',
  },
  {
    what: 'not what a test within a test has said that then passed',
    lines: [
      '=== RUN   TestCart',
      '=== RUN   TestCart/none',
      '    cart_test.go:9: want no error, got one',
      '=== RUN   TestCart/two',
      '    cart_test.go:9: want 2, got 3',
      '--- FAIL: TestCart (0.00s)',
      '    --- PASS: TestCart/none (0.00s)',
      '    --- FAIL: TestCart/two (0.00s)',
    ],
    says: '    cart_test.go:9: want 2, got 3',
  },
  {
    what: 'a plain sentence that is indented, and no titles of columns',
    lines: ['● Test suite failed to run', '', '    could not close the pool', '', 'Name   Stmts   Miss   Missing'],
    says: '    could not close the pool',
  },
  {
    what: 'a list below a heading, and not its last line',
    lines: ['3 rows read, and of these:', '  - row 2: a price of -2', '  - row 3: a price of x'],
    says: '  - row 2: a price of -2',
  },
  {
    what: 'what a recipe said that was ignored is not the cause of the next one',
    exitCode: 2,
    lines: [
      '3 spellings to look at',
      'make: [Makefile:3: spell] Error 1 (ignored)',
      'make: *** [Makefile:6: links] Error 1',
    ],
    says: 'make: *** [Makefile:6: links] Error 1',
  },
  {
    what: 'what Jest shows of the output of a test is not why it failed',
    lines: [
      ' FAIL  a.test.js',
      '    console.error',
      '      Error: printed on purpose',
      '  ● adds up',
      '    expect(received).toBe(expected)',
    ],
    says: '    expect(received).toBe(expected)',
  },
  {
    what: 'not what another step of the build has said',
    lines: [
      "#11 1.2 a.ts(3,7): error TS2322: Type 'x' is wrong.",
      '#11 DONE 2.4s',
      '#12 3.1 the page has no title: error',
      '#12 ERROR: process "/bin/sh -c ./check" did not complete successfully: exit code: 1',
    ],
    says: '#12 3.1 the page has no title: error',
  },
]

test.each(cases)('$what', ({ exitCode = 1, lines, says }) => {
  const finder = createFinder()
  for (const line of lines) finder.push(line)
  expect(finder.end({ exitCode })[0]?.text).toBe(says)
})

test('a million different errors use constant memory and hide neither the first nor the last', () => {
  const finder = createFinder()
  const letters = (i: number) => i.toString(36).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
  finder.push('error: the first one')
  for (let i = 0; i < 50; i++)
    finder.push(Array.from({ length: 2000 }, (_, j) => `error: ${letters(i * 2000 + j + 40_000)} is wrong`).join('\n'))
  finder.push('panic: the last one')
  expect(
    finder
      .end({ exitCode: 1 })
      .slice(0, 2)
      .map(({ text }) => text),
  ).toEqual(['panic: the last one', 'error: the first one'])
})
