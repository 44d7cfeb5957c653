/** The lines in which test tools name a test that failed. */
import { plainOf } from '../plain.ts'
import { unwrap } from '../rules/unwrap.ts'
import type { Lines } from './lines.ts'

/** The name is looked for in so many lines above the cause, and so many below it. */
export const maxAbove = 300
export const maxBelow = 80
/** Of a line, so many characters are read. */
const maxChars = 400
const longestName = 160

interface Heading {
  pattern: RegExp
  /** Printed only where the log has a sum of tests, too: else it may be anything. */
  counted?: true
  /** Not a heading, though it looks like one. */
  not?: RegExp
}

/** Printed above what is wrong. The first group is the name. */
const above: readonly Heading[] = [
  // TAP: node --test, tape, bats, prove.
  { pattern: /^\s*not ok \d{1,7}(?: -)? {1,40}(?!\S{1,200}\.[cm]?[jt]sx?$)([^#\s].{0,400}?)(?: # .{0,400})?$/ },
  // Go.
  { pattern: /^\s*--- FAIL: (\S{1,200})/ },
  // GoogleTest.
  { pattern: /^\[ RUN {6}\] (\S{1,200})$/ },
  { pattern: /^\[ {2}FAILED {2}\] (\S{1,200}\.\S{1,200}?)(?:,| \(|$)/ },
  // pytest.
  {
    pattern: /^_{3,} (?:ERROR at \w{1,200} of )?([^_\s].{0,400}?) _{3,}$/,
    not: /^_+ (?:ERROR collecting|summary|coverage)/,
  },
  // unittest of Python.
  { pattern: /^(?:FAIL|ERROR): ([\w.]{1,200}) \(\S{1,200}\)/ },
  // cargo test, cargo nextest.
  { pattern: /^-{4} (\S.{0,400}?)(?: stdout| stderr)? -{4}$/ },
  { pattern: /^\s*(?:FAIL|TRY \d{1,9} FAIL) \[ *[\d.]{1,200}s\] (?:\( *\d{1,9}\/\d{1,9}\) )?\S{1,200} (\S.{0,400})$/ },
  { pattern: /^thread '(?!main'|<unnamed>)([^']{1,200})' (?:\(\d{1,9}\) )?panicked at/ },
  // Jest.
  {
    pattern: /^\s*● (\S.{0,400})$/,
    not: /● (?:Test suite failed|Console|process\.exit|Cannot log|Validation|Deprecation)/,
  },
  // Vitest.
  {
    pattern:
      /^\s*(?:FAIL|❯|×) {1,40}(?:\|[^|]{1,200}\| {1,40})?\S{1,200}\.\w{1,200} > (\S.{0,400}?)(?: +[[(]?\d[\d.,]{0,9} ?[mµn]?s(?:ecs?|econds?)?[\])]?)?$/,
  },
  // Playwright.
  { pattern: /^\s*\d{1,9}\) (?:\[[^\]]{1,200}\] › )?\S{1,200}:\d{1,9}:\d{1,9} › (\S.{0,400}?)[ ─]*$/ },
  // node --test, AVA, Mocha's list, bats: a cross, the name and the time. Others print a cross before any error.
  {
    pattern: /^\s*[✖✗✘×✕] (\S.{0,400}?)(?: +[[(]?\d[\d.,]{0,9} ?[mµn]?s(?:ecs?|econds?)?[\])]?)$/,
    not: /\.[cm]?[jt]sx?(?: \(.{0,400}\))? [[(]?\d\S{0,200}$|\bfailed in \d/,
  },
  {
    pattern: /^\s*[✖✗✘×✕] (?:\[fail\]: )?(\S.{0,400}?)$/,
    counted: true,
    not: /^\s*\S \d{1,9} (?:problems?|errors?|tests? )|failing tests:|^\s*\S (?:Build|Error|Failed|Transform|Given|When|Then|And|But|Before|After)\b|\.[cm]?[jt]sx?(?: \(.{0,400}\))?$/,
  },
  // Minitest, with the place behind the name.
  { pattern: /^\s*([A-Z][\w:]*#\S.{0,400}?)(?: \[[^\]]{1,200}\])?:$/ },
  // Test::Unit.
  { pattern: /^(?:Failure|Error): (test\S{0,200}\(\S{1,200}\))/ },
  // Test::More of Perl.
  { pattern: /^\s*# {1,40}Failed test '(.{1,400})'/ },
  // .NET: VSTest, xUnit.net, Microsoft.Testing.Platform.
  { pattern: /^\s*Failed (\S.{0,400}?) \[[<\d][^\]]*\]$/ },
  { pattern: /^\s*\[xUnit\.net [\d:.]{1,200}\] {1,40}(\S.{0,400}?) \[FAIL\]$/ },
  { pattern: /^failed (\S.{0,400}?) \(\d[^)]*\)$/ },
  // Gradle.
  { pattern: /^(?!> Task)(\S.{0,400} > \S.{0,400}?) FAILED$/ },
  // Surefire and failsafe of Maven.
  {
    pattern:
      /^(?:ERROR: |error: |\[ERROR\] {1,40})?([\w$.]{1,200}(?:[.(#]\S{0,200})?)(?: --)? {1,40}Time elapsed: .{1,40}<<< (?:FAILURE|ERROR)!/,
  },
  // JUnit's console.
  { pattern: /^\s*JUnit \w{1,200}:(\S.{0,400})$/ },
  // ScalaTest.
  { pattern: /^\s*- (\S.{0,400}?) \*\*\* FAILED \*\*\*/ },
  // Dart and Flutter.
  { pattern: /^\d\d:\d\d \+\d{1,9}(?: ~\d{1,9})?(?: -\d{1,9})?: (\S.{0,400}) \[E\]$/ },
  // Deno.
  { pattern: /^(\S.{0,400}?) => \S{1,200}:\d{1,9}:\d{1,9}$/ },
  // testthat of R.
  { pattern: /^─+ (?:Failure|Error) \(.{1,400}?\): (\S.{0,400}?) ─*$/ },
  // Pest.
  { pattern: /^\s*FAILED {1,40}(\S{1,200}\\\S{1,200} > .{1,400}?)(?: {2,40}.{0,400})?$/ },
  // Robot Framework.
  { pattern: /^(\S.{0,400}?) {1,40}\| FAIL \|$/ },
  // XCTest.
  { pattern: /^Test Case '-?\[?(.{1,400}?)\]?' failed/ },
  // EUnit.
  { pattern: /^\s*([\w:./-]{1,200}: ?\w{1,200}_test_?)(?:\/\d{1,9})?.{0,400}\*failed\*/ },
]

/** On the line that says what is wrong. */
const within: readonly RegExp[] = [
  // The short summaries of pytest and Surefire.
  /^(?:FAILED|ERROR) \S{1,200}::(\S.{0,400}?) - /,
  /^(?:ERROR: |error: |\[ERROR\] {1,40})?([A-Z][\w$]*\.\w{1,200}):\d{1,9}(?:->\S{1,200})? /,
  // Unity.
  /^\S{1,200}:\d{1,9}:(\w{1,200}):FAIL: /,
  // Boost.Test.
  /error: in "([^"]{1,200})"/,
  // XCTest.
  /error: -\[(\S{1,200} \S{1,200})\] : /,
]

/** Printed below what is wrong. */
const below: readonly RegExp[] = [
  // Bun.
  /^(?:\(fail\)|✗) (\S.{0,400}?)(?: +[[(]?\d[\d.,]{0,9} ?[mµn]?s(?:ecs?|econds?)?[\])]?)?$/,
  // Ginkgo.
  /^\s*\[FAIL\] (\S.{0,400})$/,
  /^\[ {2}FAILED {2}\] (\S{1,200}\.\S{1,200}?)(?:,| \(|$)/,
  /^\s*--- FAIL: (\S{1,200})/,
  /^FAILED \S{1,200}::(\S.{0,400}?)(?: - .{0,400})?$/,
  // CTest.
  /^\s*\d{1,9}\/\d{1,9} Test {1,40}#\d{1,9}: (\S{1,200}) \.*\*\*\*Failed/,
  /^\s*\d{1,9} - (\S{1,200}) \((?:Failed|Timeout|SEGFAULT|Subprocess aborted)\)/,
]

/** `1) Cart`: RSpec, PHPUnit, ExUnit, Jasmine, Hspec on one line; Mocha below it, deeper with each suite, to the colon. */
const numbered = /^\s{0,6}\d{1,4}\) (\S.{0,400}?)$/
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

const cut = (name: string): string => name.trim().slice(0, longestName)

export const readable = (lines: Lines, index: number): string => unwrap(plainOf(lines.at(index))).slice(0, maxChars)

export const isCommand = (line: string): boolean =>
  /^[+$] \S/.test(line) && !/^\+ (?:actual|expected|received)\b/i.test(line)

/** A name between two rules: Catch2 and doctest. */
const ruledName = (lines: Lines, index: number): string | undefined => {
  for (let at = index - 1; at > Math.max(0, index - 12); at--)
    if (/^(?:-{79}|={79})$/.test(readable(lines, at))) {
      const name = readable(lines, at + 1)
      return at + 1 < index ? /^(?:TEST CASE: +)?(\S.{0,400})$/.exec(name)?.[1] : undefined
    }
  return undefined
}

const nameIn = (lines: Lines, index: number, isCounted: boolean): string | undefined => {
  const line = readable(lines, index)
  for (const { pattern, not, counted } of above) {
    if (counted && !isCounted) continue
    const name = pattern.exec(line)?.[1]
    if (name !== undefined && !not?.test(line)) return name
  }
  // busted.
  if (/^(?:Failure|Error) → \S{1,200} @ \d{1,9}$/.test(line)) return readable(lines, index + 1)
  const said = /^TEST CASE: +(\S.{0,400})$/.exec(line)?.[1]
  if (said !== undefined) return said
  if (!isCounted) return undefined
  const heading = numbered.exec(line)?.[1]
  if (heading !== undefined) return joined(lines, index, heading.replace(/ # .{0,400}/, ''))
  return /^-{79}$/.test(line) ? ruledName(lines, index) : undefined
}

/** `cause`: the index of the line that says what is wrong. `isCounted`: the log has a sum of tests, so it is the output of tests. */
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
    const name = below.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined)
    if (name !== undefined) return cut(name)
  }
  return undefined
}
