/** Groups output by test, for tools that print each test's start and result (Go, GoogleTest). */
import type { Seen } from './repeated-lines.ts'
import { expectedWeight } from './line-context.ts'

const maxInTest = 64
const maxTests = 1024
/** The number of characters of a line to search for a test's name. */
const maxNameChars = 240
/** `=== RUN   TestCart/empty`, `[ RUN      ] Cart.Empty`; also when a test resumes. */
const testBegins = /^(?:=== (RUN|NAME|CONT) +|\[ (RUN) +\] )(\S{1,200})/
/** Nested tests are indented. */
const testFailed = /^\s*(?:--- FAIL: |\[ {2}FAILED {2}\] )(\S{1,200})/
const testPassed = /^\s*(?:--- PASS: |\[ {3,}OK \] )(\S{1,200})/
const newline = 10
const blank = 32
const dash = 45
const equals = 61
const bracket = 91

/**
 * Whether a line can be a test marker. These start with `=`, `-` or `[`; while tests run, also
 * indented.
 */
const isOfTests = (text: string, from: number, isIndented: boolean): boolean => {
  const last = isIndented ? from + maxNameChars : from
  let code = text.charCodeAt(from)
  for (let at = from + 1; at <= last && code <= blank && code !== newline; at++) code = text.charCodeAt(at)
  return code === dash || code === bracket || code === equals
}

export class TestScopes {
  readonly #tests = new Map<string, Seen[]>()
  /** The output of the current test. */
  #inTest: Seen[] | undefined

  /** Returns whether another test starts, or the last one has ended. */
  read(text: string, from: number): boolean {
    if (!isOfTests(text, from, this.#tests.size > 0)) return false
    const start = text.slice(from, from + maxNameChars)
    const passed = testPassed.exec(start)?.[1]
    if (passed !== undefined) {
      this.#pass(passed)
      return true
    }
    const failed = testFailed.exec(start)?.[1]
    if (failed !== undefined) this.#fail(failed)
    const name = failed === undefined ? testBegins.exec(start)?.[3] : undefined
    if (name === undefined) return false
    const isKept = this.#tests.has(name) || this.#tests.size < maxTests
    this.#inTest = isKept ? (this.#tests.get(name) ?? []) : undefined
    if (this.#inTest) this.#tests.set(name, this.#inTest)
    return true
  }

  /** Records output of the current test. */
  note(seen: Seen): void {
    if (this.#inTest && this.#inTest.length < maxInTest) this.#inTest.push(seen)
  }

  /** The output of a passed test is not a cause. */
  #pass(name: string): void {
    const output = this.#tests.get(name)
    for (const seen of output ?? []) seen.weight = Math.min(seen.weight, expectedWeight)
    if (this.#inTest === output) this.#inTest = undefined
    this.#tests.delete(name)
  }

  #fail(name: string): void {
    const output = this.#tests.get(name) ?? []
    for (const seen of output)
      seen.occurrence = { ...seen.occurrence, boosted: true, block: output[0]?.occurrence.line ?? 0 }
    // The test can be retried and pass.
    this.#tests.delete(name)
    this.#inTest = undefined
  }
}
