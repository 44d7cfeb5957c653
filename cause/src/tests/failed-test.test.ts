/** The name of the failed test, from the recorded output of real tools (cause/corpus). */
import { expect, test } from 'vitest'

import { readLabels, readLogs } from '../../../tools/lib/corpus.mjs'
import { createFinder } from '../finder.ts'
import { failedTestIn, nameAndMessage } from './failed-test.ts'

const logs = readLogs('open')
const labels = readLabels('open')

const failedTestOf = (name: string): string | undefined => {
  const text = (logs.get(name) ?? '').replace(/\n$/, '')
  const finder = createFinder()
  finder.push(text)
  const [first] = finder.end({ exitCode: labels[name]?.exit })
  const found = first && failedTestIn(text, first.line - 1)
  return found && `${found.failed ?? '?'} of ${found.total ?? '?'}: ${nameAndMessage(found) ?? found.message}`
}

test.each([
  ['node-test-spec', '1 of 33: merges two carts – Expected values to be strictly deep-equal'],
  ['long-node-spec', '1 of 1201: keeps what is inside – 10 !== 5'],
  ['node-test-tap', '1 of 701: keeps order – Expected values to be strictly deep-equal'],
  ['node-test-timeout', '1 of 2: waits for the queue to drain – test timed out after 300ms'],
  ['multi-language', "1 of 26: vector 26 – expected 'e9', got 'c3a9'"],
  ['tape-deep-equal', '18 of 466: two Dates with the same timestamp are equal – expected true, got false'],
  ['bats', '1 of 3: prints its version'],
  ['tap', '1 of 2: should be equivalent'],
  ['ava', "1 of 1: slug – - 'hello_world'"],
  ['mocha-assert', "2 of 27: router keeps the query – expected '/a' to equal '/a?b=1'"],
  ['mocha-hook', '1 of 41: db "before all" hook: connect for "inserts" – connect ECONNREFUSED 127.0.0.1:1'],
  ['legacy-mocha-1500', '1 of 1350: module 11 handles error 20 – Expected values to be strictly deep-equal'],
  ['jest-assert', '1 of 8: Queue › gives back in order – expected 1, got 2'],
  ['jest-many-suites', '1 of 62: Queue › gives back in order – expected 1, got 2'],
  [
    'auction-jest-port',
    '1 of 4: GET /lots/:id › says 400 for no number – expected 400 "Bad Request", got 404 "Not Found"',
  ],
  ['vitest-assert', '1 of 83: money > keeps thousands apart – expected "1,234,567.89", got "1234567.89"'],
  ['vitest-two-thousand', '2 of 2402: sends one mail – expected "vi.fn()" to be called 1 times, but got 2 times'],
  ['grid-vitest-tty', '1 of 720: grid 7 > cell 41 – expected 48 to be 47 // Object.is equality'],
  ['playwright-retries', '1 of 14: has the right title – expected "Planner – Today", got "Planner – today"'],
  ['jasmine', '1 of 21: stock reserves – Expected -1 to be greater than or equal 0.'],
  ['cucumber-js', '1 of 4: Scenario: success – a 204 has no body'],
  ['bun-test', '1 of 71: adds the tax once – expected 119, got 142'],
  ['long-deno-test', '1 of 421: quotes each quotation mark – Error: address is not quoted: "\\"a" <b>"'],
  ['go-test-table', '1 of ?: TestCents/19.99 – Cents("19.99") = 1998, want 1999'],
  ['form-go-json', '1 of 252: TestTotal – Total() = 42, want 41'],
  ['pipe-go-packages', '1 of ?: TestErr – Err(1) = 25, want 24'],
  [
    'go-panic',
    '1 of 3: TestHello – panic: runtime error: invalid memory address or nil pointer dereference [recovered, repanicked]',
  ],
  ['ginkgo', '1 of ?: Queue when it is full [It] refuses further jobs – Expected'],
  ['cargo-test', '1 of 4: tests::loses_nothing – left 99, right 100'],
  ['cargo-doctest', '1 of 2: src/lib.rs - add (line 3) – left 3, right 4'],
  ['pipe-cargo', '1 of 91: tests::zero_is_free – fee of 0 is undefined'],
  ['pytest-assert', '1 of 62: test_discount – assert (250 * 0.9) == 226'],
  [
    'pytest-verbose-xdist',
    "1 of 1600: test_case_c[213] – assert {'id': 213, 'state': 'failed'} == {'id': 213, 'state': 'done'}",
  ],
  ['form-pytest-tb-line', '1 of 900: test_error[512] – assert 512 != 512'],
  ['pytest-doctest', '1 of 1: [doctest] plan.week – 1'],
  [
    'unittest-fail',
    '2 of 53: test_distance – 0.30000000000000004 != 0.31 within 7 places (0.009999999999999953 difference)',
  ],
  ['pipe-django-test', '1 of 2: test_cart – 404 != 200'],
  ['rspec', '2 of 32: Cart multiplies – expected 15, got 5'],
  ['minitest', '1 of 41: PlanTest#test_week_starts_on_monday – expected "Monday", got "Sunday"'],
  ['phpunit', '2 of 43: CartTest::testTax – Failed asserting that 23.788099999999996 is identical to 23.79.'],
  ['mix-test', '1 of 81: test keeps cents (LedgerTest) – left {:ok, 1999}, right {:ok, 1998.9999999999998}'],
  ['hspec', '1 of 61: words joins with one blank – expected: "a b"'],
  ['gradle-test', '1 of 2: PlanTest > fits – hours per day expected:<24> but was:<23>'],
  ['maven-surefire', '2 of 34: shop.RoundingTest.keepsCents – 19.99 ==> expected: <1999> but was: <1998>'],
  ['maven-testng', '2 of 9: com.acme.ShareTest.sharesAddUp[3](3) – shares of 100 by 3 expected [100] but found [99]'],
  ['loyalty-assertj', '1 of 4: shop.PointsTest$Tiers.thousandIsGold – expected "GOLD", got "SILVER"'],
  ['gtest-long', '1 of 401: Slug.Lowers – slug("Hello")'],
  ['ctest', '1 of 30: case_19 – expected checksum 0x1f3a, got 0x1f3b'],
  ['catch2', '1 of 2: days of a month – REQUIRE( days(7) == 31 )'],
  ['boost-test', '? of ?: sum – t.cpp(4): error: in "sum": check a + b == 24 has failed [19 + 4 != 24]'],
  ['cmocka', '1 of 3: wraps_at_the_end – [  ERROR   ] --- 0 != 0x7'],
  ['prove-perl', "1 of 40: sorted by number – Failed test 'sorted by number'"],
  ['perl-test', "1 of 31: keeps cents – expected '1999', got '1998'"],
  ['eunit', '1 of 21: queue_t: order_test – **error:{assertEqual,[{module,queue_t},'],
  ['r-testthat', '1 of 11: shares add up – sum(rep(share(100, 3), 3)) not equal to 100.'],
  ['robot', '1 of 2: Title Is Right – Planner != planer'],
  ['busted', '1 of 41: Expected objects to be equal.'],
  ['long-busted-tap', "1 of 1101: weekday knows the 22nd – (string) 'Sun'"],
  ['queue-qunit', '1 of ?: queue > runs by priority – jobs come in order of their priority'],
])('%s: %s', (name, says) => {
  expect(failedTestOf(name)).toBe(says)
})

test('output that is not from tests has no failed test, whatever symbols it prints', () => {
  const none = [
    'esbuild',
    'madge-circular',
    'oxlint',
    'vite-build',
    'pip-build-fails',
    'eslint-ts-parse',
    'tsc-56',
    'cargo-build',
    'go-build',
    'terraform-validate',
  ]
  expect(none.filter((name) => failedTestOf(name) !== undefined)).toEqual([])
})

test('a test file that cannot be read is not a failed test', () => {
  expect(failedTestOf('pytest-collection')).toBeUndefined()
})

test('an earlier command does not count', () => {
  const text = [
    '+ npm test',
    '# tests 3',
    '# fail 1',
    '+ npx tsc',
    "a.ts(1,1): error TS2304: Cannot find name 'b'.",
  ].join('\n')
  expect(failedTestIn(text, 4)).toBeUndefined()
})

test('only the lines near the cause and the last lines are read', () => {
  const noise = Array.from({ length: 5000 }, (_, i) => `line ${i}`)
  const text = ['not ok 1 - far', ...noise, 'not ok 2 - near', '220 !== 180', ...noise, '# tests 2', '# fail 1'].join(
    '\n',
  )
  expect(failedTestIn(text, 5002)).toEqual({ name: 'near', failed: 1, total: 2, message: '220 !== 180' })
  expect(failedTestIn(text, 2000)?.name).toBeUndefined()
})

test('long lines that nearly match cost no more than short ones', () => {
  /** Processor time of 16 million characters in lines of this length; the least of three. */
  const cost = (length: number) => {
    const lines = [
      'a > '.repeat(length),
      '=> '.repeat(1.5 * length),
      `1 failed, ${'1 passed, '.repeat(0.5 * length)}`,
      `${'- '.repeat(2 * length)}FAILED`,
    ]
    const text = Array.from({ length: 4_000_000 / length }, (_, i) => lines[i % lines.length]).join('\n')
    const costs = [1, 2, 3].map(() => {
      const before = process.cpuUsage()
      failedTestIn(text, 1000)
      return process.cpuUsage(before).user
    })
    return Math.min(...costs)
  }
  // Quadratic work would cost forty times as much.
  expect(cost(8_000) / cost(200)).toBeLessThan(8)
})
