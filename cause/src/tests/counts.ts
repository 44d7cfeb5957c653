/** Reads the summaries of test tools: how many of how many tests failed. */
import type { Lines } from './lines.ts'
import { isCommand, readable } from './names.ts'

export interface Counts {
  failed: number
  /** Undefined if the tool does not print it. */
  total: number | undefined
}

/** The number of last lines in which to look for the summary. */
export const maxTail = 1500
/** The maximum number of lines of a summary. */
const maxSum = 20

const numberIn = (pattern: RegExp, text: string): number => Number(pattern.exec(text)?.[1] ?? 0)
const sum = (text: string, ...patterns: RegExp[]): number =>
  patterns.reduce((all, pattern) => all + numberIn(pattern, text), 0)

interface Around {
  /** The nearest number that matches, in the lines around. */
  near: (pattern: RegExp) => number | undefined
  /** The number of last lines that match. */
  all: (pattern: RegExp) => number
  /** Whether the last lines are the whole log. */
  isWhole: boolean
}

type Sum = (text: string, around: Around) => Counts | undefined

const of = (failed: number, total: number | undefined): Counts => ({ failed, total })

/** Each entry reads one format. */
const sums: readonly Sum[] = [
  // Jest, Pest: `Tests: 1 failed, 2 skipped, 9 passed, 12 total`.
  // Vitest: `Tests  1 failed | 11 passed (12)`.
  (text) => {
    if (!/^\s*Tests:? +(?:\d{1,9} \w+[,| ]+)*\d{1,9} failed\b/.test(text)) return undefined
    const total = numberIn(/(\d{1,9}) total\b/, text) || numberIn(/\((\d{1,9})\)$/, text)
    const parts = sum(text, /(\d{1,9}) failed/, /(\d{1,9}) passed/, /(\d{1,9}) skipped/, /(\d{1,9}) todo/)
    return of(numberIn(/(\d{1,9}) failed/, text), total || parts)
  },
  // node --test: `# tests 312` and `# fail 1`, or with ℹ; tape the same.
  (text, { near }) => {
    const failed = numberIn(/^[#ℹ] fail +(\d{1,9})$/, text)
    return failed > 0 ? of(failed, near(/^[#ℹ] tests +(\d{1,9})$/)) : undefined
  },
  // Other TAP: the plan, and the counted lines. A test marked TODO is allowed to fail
  // (https://testanything.org, "TODO tests").
  (text, { all, isWhole }) => {
    const total = numberIn(/^1\.\.(\d{1,9})$/, text)
    return total > 0 && isWhole ? of(all(/^not ok \d{1,9}(?!.*# TODO)/), total) : undefined
  },
  // prove.
  (text) => {
    const found = /^# Looks like you failed (\d{1,9}) tests? of (\d{1,9})/.exec(text)
    return found ? of(Number(found[1]), Number(found[2])) : undefined
  },
  // Go: the total is known only if passed tests are printed as well.
  (text, { all, isWhole }) => {
    if (!/^FAIL(?:\t|$)/.test(text)) return undefined
    const others = all(/^--- (?:PASS|SKIP): /)
    const failed = all(/^--- FAIL: /)
    return isWhole ? of(failed, others > 0 ? others + failed : undefined) : undefined
  },
  // pytest: `==== 1 failed, 311 passed in 0.5s ====`.
  (text) => {
    if (!/^(?:=+ )?(?:\d{1,9} \w+, )*\d{1,9} \w+(?:, \d{1,9} \w+)* in [\d.]+s\b/.test(text)) return undefined
    // A summary with errors alone is about files that could not be read.
    if (!/failed|passed/.test(text)) return undefined
    const failed = sum(text, /(\d{1,9}) failed/, /(\d{1,9}) errors?\b/)
    return of(
      failed,
      failed + sum(text, /(\d{1,9}) passed/, /(\d{1,9}) skipped/, /(\d{1,9}) xfailed/, /(\d{1,9}) xpassed/),
    )
  },
  // unittest of Python.
  (text, { near }) => {
    if (!text.startsWith('FAILED (')) return undefined
    return of(sum(text, /failures=(\d{1,9})/, /errors=(\d{1,9})/), near(/^Ran (\d{1,9}) tests? in /))
  },
  // cargo test, cargo nextest.
  (text) => {
    if (!text.startsWith('test result: FAILED')) return undefined
    const failed = numberIn(/(\d{1,9}) failed/, text)
    return of(failed, failed + sum(text, /(\d{1,9}) passed/, /(\d{1,9}) ignored/))
  },
  (text) =>
    /^\s*Summary \[.+\] \d{1,9}/.test(text)
      ? of(sum(text, /(\d{1,9}) failed/, /(\d{1,9}) timed out/), numberIn(/(\d{1,9})(?:\/\d{1,9})? tests? run/, text))
      : undefined,
  // RSpec, Hspec: `312 examples, 1 failure`; ExUnit, gotestsum, bats: `312 tests, 1 failure`;
  // Jasmine: `312 specs`.
  (text) => {
    const found = /(\d{1,9}) (?:examples?|tests?|specs?), (?:\d{1,9} skipped, )?(\d{1,9}) (?:failures?|failed)\b/.exec(
      text,
    )
    return found ? of(Number(found[2]) + numberIn(/, (\d{1,9}) errors?\b/, text), Number(found[1])) : undefined
  },
  // Minitest, Test::Unit: `312 runs, 400 assertions, 1 failures, 0 errors, 0 skips`.
  (text) => {
    const total = numberIn(/^(\d{1,9}) (?:runs|tests), \d{1,9} assertions, /, text)
    return total > 0 ? of(sum(text, /(\d{1,9}) failures?/, /(\d{1,9}) errors?/), total) : undefined
  },
  // PHPUnit: `Tests: 312, Assertions: 400, Failures: 1.`; Surefire, JUnit 4:
  // `Tests run: 312, Failures: 1, Errors: 0`.
  (text) => {
    const total = numberIn(/\bTests(?: run)?: (\d{1,9}), +(?:Assertions|Failures)/, text)
    return total > 0 ? of(sum(text, /Failures: (\d{1,9})/, /Errors: (\d{1,9})/), total) : undefined
  },
  // .NET.
  (text) => {
    const failed = numberIn(/^Failed! +- Failed: +(\d{1,9})/, text)
    return failed > 0 ? of(failed, numberIn(/Total: +(\d{1,9})/, text) || undefined) : undefined
  },
  (text, { near }) => {
    const failed = numberIn(/^\s+[Ff]ailed: (\d{1,9})$/, text)
    const total = near(/^\s*(?:Total tests|total): (\d{1,9})$/)
    return failed > 0 && total !== undefined ? of(failed, total) : undefined
  },
  // Gradle.
  (text) => {
    const found = /(\d{1,9}) tests? completed, (\d{1,9}) failed/.exec(text)
    return found ? of(Number(found[2]), Number(found[1])) : undefined
  },
  // JUnit's console.
  (text, { near }) => {
    const failed = numberIn(/^\[ +(\d{1,9}) tests failed +\]$/, text)
    return failed > 0 ? of(failed, near(/^\[ +(\d{1,9}) tests found +\]$/)) : undefined
  },
  // Mocha.
  (text, { near }) => {
    const failed = numberIn(/^\s+(\d{1,9}) failing$/, text)
    const passing = near(/^\s+(\d{1,9}) passing\b/)
    return failed > 0 ? of(failed, failed + (passing ?? 0) + (near(/^\s+(\d{1,9}) pending$/) ?? 0)) : undefined
  },
  // Playwright.
  (text, { near }) => {
    const failed = numberIn(/^\s+(\d{1,9}) failed$/, text)
    if (failed === 0) return undefined
    const others = [
      /^\s+(\d{1,9}) passed\b/,
      /^\s+(\d{1,9}) skipped$/,
      /^\s+(\d{1,9}) flaky$/,
      /^\s+(\d{1,9}) did not run$/,
    ].map(near)
    return of(
      failed,
      others.reduce<number>((all, count) => all + (count ?? 0), failed),
    )
  },
  // AVA.
  (text, { near }) => {
    const failed = numberIn(/^\s+(\d{1,9}) tests? failed$/, text)
    return failed > 0 ? of(failed, failed + (near(/^\s+(\d{1,9}) tests? passed$/) ?? 0)) : undefined
  },
  // GoogleTest.
  (text, { near }) => {
    const failed = numberIn(/^\[ {2}FAILED {2}\] (\d{1,9}) test(?:s|\(s\))?, listed below:/, text)
    return failed > 0
      ? of(failed, near(/^\[=+\] (?:tests: |\S+: )?(\d{1,9}) test(?:s|\(s\))? (?:from .+ )?(?:ran|run)\b/))
      : undefined
  },
  // CTest.
  (text) => {
    const found = /\btests passed, (\d{1,9}) tests failed out of (\d{1,9})/.exec(text)
    return found ? of(Number(found[1]), Number(found[2])) : undefined
  },
  // Catch2, doctest.
  (text) => {
    const total = numberIn(/\btest cases: +(\d{1,9}) \|/, text)
    return total > 0 ? of(numberIn(/\| +(\d{1,9}) failed/, text), total) : undefined
  },
  // XCTest.
  (text) => {
    const found = /\bExecuted (\d{1,9}) tests?, with (\d{1,9}) failures?/.exec(text)
    return found ? of(Number(found[2]), Number(found[1])) : undefined
  },
  // Deno.
  (text) => {
    const found = /^(?:FAILED \| )?(\d{1,9}) passed.*? \| (\d{1,9}) failed/.exec(text)
    return found ? of(Number(found[2]), Number(found[1]) + Number(found[2])) : undefined
  },
  // Bun.
  (text, { near }) => {
    const failed = numberIn(/^\s+(\d{1,9}) fail$/, text)
    return failed > 0 ? of(failed, near(/^Ran (\d{1,9}) tests? across/)) : undefined
  },
  // ScalaTest.
  (text) => {
    const failed = numberIn(/^Tests: succeeded \d{1,9}, failed (\d{1,9})/, text)
    return failed > 0
      ? of(failed, failed + sum(text, /succeeded (\d{1,9})/, /ignored (\d{1,9})/, /canceled (\d{1,9})/))
      : undefined
  },
  // Dart and Flutter.
  (text) => {
    const found = /^\d\d:\d\d \+(\d{1,9})(?: ~\d{1,9})? -(\d{1,9}): Some tests failed/.exec(text)
    return found ? of(Number(found[2]), Number(found[1]) + Number(found[2])) : undefined
  },
  // Karma.
  (text) => {
    const found = /Executed (\d{1,9}) of \d{1,9} \((\d{1,9}) FAILED\)/.exec(text)
    return found ? of(Number(found[2]), Number(found[1])) : undefined
  },
  // EUnit.
  (text) => {
    const failed = numberIn(/^\s*Failed: (\d{1,9})\. +Skipped: \d{1,9}\./, text)
    return failed > 0 ? of(failed, failed + sum(text, /Passed: (\d{1,9})/, /Skipped: (\d{1,9})/)) : undefined
  },
  // testthat of R.
  (text) => {
    const failed = numberIn(/^\[ FAIL (\d{1,9}) \| WARN \d{1,9} \|/, text)
    return failed > 0 ? of(failed, failed + sum(text, /SKIP (\d{1,9})/, /PASS (\d{1,9})/)) : undefined
  },
  // busted.
  (text) => {
    const found = /^(\d{1,9}) success(?:es)? \/ (\d{1,9}) failures? \/ (\d{1,9}) errors?/.exec(text)
    if (!found) return undefined
    const failed = Number(found[2]) + Number(found[3])
    return of(failed, failed + Number(found[1]))
  },
  // Cucumber, behave.
  (text) => {
    const total = numberIn(/^(\d{1,9}) scenarios? \(/, text)
    return total > 0 ? of(numberIn(/(\d{1,9}) failed/, text), total) : undefined
  },
  (text) => {
    const found = /^(\d{1,9}) scenarios? passed, (\d{1,9}) failed/.exec(text)
    return found ? of(Number(found[2]), Number(found[1]) + Number(found[2])) : undefined
  },
  // Robot Framework, Unity.
  (text) => {
    const found = /^(\d{1,9}) tests?, (\d{1,9}) passed, (\d{1,9}) failed/i.exec(text)
    return found ? of(Number(found[3]), Number(found[1])) : undefined
  },
  (text) => {
    const found = /^(\d{1,9}) Tests (\d{1,9}) Failures \d{1,9} Ignored/.exec(text)
    return found ? of(Number(found[2]), Number(found[1])) : undefined
  },
  // Ginkgo.
  (text) => {
    const found = /^FAIL! -- (\d{1,9}) Passed \| (\d{1,9}) Failed/.exec(text)
    return found ? of(Number(found[2]), Number(found[1]) + Number(found[2])) : undefined
  },
]

const hasCount =
  /\d.{0,300}(?:fail|test|spec|example|scenario|run|error|pass)|(?:fail|test|spec|example|run|error|pass).{0,300}\d|^1\.\.\d|^FAIL/i
const maxSumChars = 300

/** The last summary with a failure, in the output of the command that printed the line `cause`. */
export const countsOf = (lines: Lines, cause: number): Counts | undefined => {
  const first = Math.max(0, lines.count - maxTail)
  const all = (pattern: RegExp): number => {
    let count = 0
    for (let at = first; at < lines.count; at++) if (pattern.test(readable(lines, at))) count++
    return count
  }
  for (let at = lines.count - 1; at >= first; at--) {
    const raw = lines.at(at)
    if (at < cause && isCommand(raw)) return undefined
    if (raw.length > maxSumChars || !hasCount.test(raw)) continue
    const text = readable(lines, at)
    const findNearby = (pattern: RegExp): number | undefined => {
      for (let distance = 0; distance <= maxSum; distance++)
        for (const next of [at - distance, at + distance]) {
          const found = next >= 0 && next < lines.count ? pattern.exec(readable(lines, next))?.[1] : undefined
          if (found !== undefined) return Number(found)
        }
      return undefined
    }
    for (const sum of sums) {
      const counts = sum(text, { near: findNearby, all, isWhole: first === 0 })
      if (counts && counts.failed > 0) return counts
    }
  }
  return undefined
}
