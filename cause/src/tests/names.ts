/** Finds the name of the failed test in the output of test tools. */
import { plainOf } from '../plain.ts'
import { unwrap } from '../rules/unwrap.ts'
import type { Lines } from './lines.ts'

/** The number of lines above and below the cause in which to look for the name. */
export const maxAbove = 300
export const maxBelow = 80
/** The number of characters of a line to read. */
const maxChars = 400
const maxNameChars = 160

interface Heading {
  pattern: RegExp
  /** Counts only if the log has a test summary as well; otherwise the line can be anything. */
  counted?: true
  /** Lines that match this are not headings. */
  not?: RegExp
  /** The test's duration is printed after its name. */
  duration?: 'maybe' | 'always'
  /** The name ends before this text. */
  endsAt?: string
}

/** Starts with one space; others are trimmed. */
const durationAtEnd = / [[(]?\d[\d.,]{0,9} ?[mµn]?s(?:ecs?|econds?)?[\])]?$/

/** Printed above the message. The first group is the name. */
const above: readonly Heading[] = [
  // TAP: node --test, tape, bats, prove.
  { pattern: /^\s*not ok \d{1,7}(?: -)? +(?!\S+\.[cm]?[jt]sx?$)([^#\s].*?)(?: # .*)?$/ },
  // Go.
  { pattern: /^\s*--- FAIL: (\S+)/ },
  // GoogleTest.
  { pattern: /^\[ RUN {6}\] (\S+)$/ },
  { pattern: /^\[ {2}FAILED {2}\] ([^\s,.]+\.[^\s,]+)/ },
  // pytest.
  { pattern: /^_{3,} (?:ERROR at \w+ of )?([^_\s].*?) _{3,}$/, not: /^_+ (?:ERROR collecting|summary|coverage)/ },
  // unittest of Python.
  { pattern: /^(?:FAIL|ERROR): ([\w.]+) \(\S+\)/ },
  // cargo test, cargo nextest.
  { pattern: /^-{4} (\S.*?)(?: stdout| stderr)? -{4}$/ },
  { pattern: /^\s*(?:FAIL|TRY \d+ FAIL) \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?\S+ (\S.*)$/ },
  { pattern: /^thread '(?!main'|<unnamed>)([^']+)' (?:\(\d+\) )?panicked at/ },
  // Jest.
  { pattern: /^\s*● (\S.*)$/, not: /● (?:Test suite failed|Console|process\.exit|Cannot log|Validation|Deprecation)/ },
  // Vitest.
  { pattern: /^\s*(?:FAIL|❯|×) +(?:\|[^|]+\| +)?\S+\.\w+ > (\S.*)$/, duration: 'maybe' },
  // Playwright.
  { pattern: /^\s*\d+\) (?:\[[^\]]+\] › )?\S+:\d+:\d+ › (\S.*)$/, endsAt: ' ──' },
  // node --test, AVA, Mocha's list, bats: a cross, the name and the time. Other tools print a cross
  // before any error.
  {
    pattern: /^\s*[✖✗✘×✕] (\S.*)$/,
    duration: 'always',
    not: /\.[cm]?[jt]sx?(?: \([^()]{0,80}\))? [[(]?\d\S{0,20}$|\bfailed in \d/,
  },
  {
    pattern: /^\s*[✖✗✘×✕] (?:\[fail\]: )?(\S.*?)$/,
    counted: true,
    not: /^\s*\S \d+ (?:problems?|errors?|tests? )|failing tests:|^\s*\S (?:Build|Error|Failed|Transform|Given|When|Then|And|But|Before|After)\b|\.[cm]?[jt]sx?(?: \([^()]{0,80}\))?$/,
  },
  // Minitest, with the position after the name.
  { pattern: /^\s*([A-Z][\w:]*#\S.*?)(?: \[[^\]]+\])?:$/ },
  // Test::Unit.
  { pattern: /^(?:Failure|Error): (test[^\s(]*\([^\s)]+\))/ },
  // Test::More of Perl.
  { pattern: /^\s*# +Failed test '(.+)'/ },
  // .NET: VSTest, xUnit.net, Microsoft.Testing.Platform.
  { pattern: /^\s*Failed (\S.*?) \[[<\d][^\]]*\]$/ },
  { pattern: /^\s*\[xUnit\.net [\d:.]+\] +(\S.*?) \[FAIL\]$/ },
  { pattern: /^failed (\S.*?) \(\d[^)]*\)$/ },
  // Gradle.
  { pattern: /^(?!> Task)(\S.* > \S.*?) FAILED$/ },
  // Surefire and failsafe of Maven.
  {
    pattern: /^(?:ERROR: |error: |\[ERROR\] +)?([\w$]\S*)(?: --)? +Time elapsed: .{1,40}<<< (?:FAILURE|ERROR)!/,
  },
  // JUnit's console.
  { pattern: /^\s*JUnit \w+:(\S.*)$/ },
  // ScalaTest.
  { pattern: /^\s*- (\S.*?) \*\*\* FAILED \*\*\*/ },
  // Dart and Flutter.
  { pattern: /^\d\d:\d\d \+\d+(?: ~\d+)?(?: -\d+)?: (\S.*) \[E\]$/ },
  // Deno.
  { pattern: /^(\S.*?) => \S+:\d+:\d+$/ },
  // testthat of R.
  { pattern: /^─+ (?:Failure|Error) \(.+?\): (\S.*?) ─*$/ },
  // Pest.
  { pattern: /^\s*FAILED +([^\s\\]+\\\S+ > .+)$/, endsAt: '  ' },
  // Robot Framework.
  { pattern: /^(\S.*) \| FAIL \|$/ },
  // XCTest.
  { pattern: /^Test Case '-?\[?(.+?)\]?' failed/ },
  // EUnit.
  { pattern: /^\s*([\w:./-]+: ?\w+_test_?).*\*failed\*/ },
]

/** Printed on the line of the message. */
const within: readonly RegExp[] = [
  // The short summaries of pytest and Surefire.
  /^(?:FAILED|ERROR) (?:[^\s:]+::){1,5}(\S.*?) - /,
  /^(?:ERROR: |error: |\[ERROR\] +)?([A-Z][\w$]*\.\w+):\d+(?:->\S+)? /,
  // Unity.
  /^\S+:\d+:(\w+):FAIL: /,
  // Boost.Test.
  /error: in "([^"]+)"/,
  // XCTest.
  /error: -\[(\S+ \S+)\] : /,
]

/** Printed below the message. */
const below: readonly Heading[] = [
  // Bun.
  { pattern: /^(?:\(fail\)|✗) (\S.*)$/, duration: 'maybe' },
  // Ginkgo.
  { pattern: /^\s*\[FAIL\] (\S.*)$/ },
  { pattern: /^\[ {2}FAILED {2}\] ([^\s,.]+\.[^\s,]+)/ },
  { pattern: /^\s*--- FAIL: (\S+)/ },
  { pattern: /^FAILED (?:[^\s:]+::){1,5}(\S.*)$/, endsAt: ' - ' },
  // CTest.
  { pattern: /^\s*\d+\/\d+ Test +#\d+: (\S+) \.*\*\*\*Failed/ },
  { pattern: /^\s*\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|Subprocess aborted)\)/ },
]

/**
 * `1) Cart`: RSpec, PHPUnit, ExUnit, Jasmine, Hspec on one line; Mocha on several lines, each suite
 * indented more, up to a colon.
 */
const numbered = /^\s{0,6}\d{1,4}\) (\S.*?)$/
const maxSuites = 8

const joined = (lines: Lines, index: number, first: string): string => {
  const parts = [first]
  let indent = 4
  for (let next = index + 1; next < Math.min(lines.count, index + maxSuites) && !parts.at(-1)?.endsWith(':'); next++) {
    const line = plainOf(lines.at(next))
    const deeper = line.length - line.trimStart().length
    if (deeper <= indent || line.trim() === '') return first
    indent = deeper
    parts.push(line.trim())
  }
  return parts.at(-1)?.endsWith(':') ? parts.join(' ').replace(/:$/, '') : first
}

const cut = (name: string): string => name.trim().slice(0, maxNameChars)

export const readable = (lines: Lines, index: number): string => unwrap(plainOf(lines.at(index))).slice(0, maxChars)

export const isCommand = (line: string): boolean =>
  /^[+$] \S/.test(line) && !/^\+ (?:actual|expected|received)\b/i.test(line)

/** A name between two rules: Catch2 and doctest. */
const ruledName = (lines: Lines, index: number): string | undefined => {
  for (let at = index - 1; at > Math.max(0, index - 12); at--)
    if (/^(?:-{79}|={79})$/.test(readable(lines, at))) {
      const name = readable(lines, at + 1)
      return at + 1 < index ? /^(?:TEST CASE: +)?(\S.*)$/.exec(name)?.[1] : undefined
    }
  return undefined
}

/** The name in a heading, without the text after it. */
const nameOfHeading = (line: string, { pattern, not, duration, endsAt }: Heading): string | undefined => {
  const found = pattern.exec(line)?.[1]
  if (found === undefined || not?.test(line)) return undefined
  const name = duration ? found.replace(durationAtEnd, '') : found
  if (duration === 'always' && name === found) return undefined
  return endsAt === undefined ? name : name.split(endsAt, 1)[0]
}

const nameIn = (lines: Lines, index: number, isCounted: boolean): string | undefined => {
  const line = readable(lines, index)
  for (const heading of above) {
    if (heading.counted && !isCounted) continue
    const name = nameOfHeading(line, heading)
    if (name !== undefined) return name
  }
  // busted.
  if (/^(?:Failure|Error) → \S+ @ \d+$/.test(line)) return readable(lines, index + 1)
  const title = /^TEST CASE: +(\S.*)$/.exec(line)?.[1]
  if (title !== undefined) return title
  if (!isCounted) return undefined
  const heading = numbered.exec(line)?.[1]
  if (heading !== undefined) return joined(lines, index, heading.replace(/ # .*/, ''))
  return /^-{79}$/.test(line) ? ruledName(lines, index) : undefined
}

/**
 * `cause`: the index of the line with the message. `isCounted`: the log has a test summary, so it
 * is the output of tests.
 */
export const nameOfTest = (lines: Lines, cause: number, isCounted: boolean): string | undefined => {
  const own = readable(lines, cause)
  const named = within.map((pattern) => pattern.exec(own)?.[1]).find((name) => name !== undefined)
  if (named !== undefined) return cut(named)
  for (let at = cause; at >= Math.max(0, cause - maxAbove); at--) {
    if (isCommand(plainOf(lines.at(at)))) break
    const name = nameIn(lines, at, isCounted)
    if (name !== undefined) return cut(name)
  }
  for (let at = cause + 1; at < Math.min(lines.count, cause + maxBelow); at++) {
    const line = readable(lines, at)
    const name = below.map((heading) => nameOfHeading(line, heading)).find((found) => found !== undefined)
    if (name !== undefined) return cut(name)
  }
  return undefined
}
