/**
 * The failed test, if the cause is in the output of tests: its name, the counts, and its message.
 */
import { countsOf, maxTail } from './counts.ts'
import { linesNear, type Lines } from './lines.ts'
import { messageOf } from './message.ts'
import { maxAbove, maxBelow, nameOfTest } from './names.ts'

export interface FailedTest {
  /** As the tool prints it; undefined if it prints none near the cause. */
  name: string | undefined
  /** The numbers of failed tests and of all tests; undefined if the tool does not print them. */
  failed: number | undefined
  total: number | undefined
  /** The message, at most 200 characters; can be empty. */
  message: string
}

/**
 * Reads at most about 2,000 lines of the log: those near the cause, and the last ones. `cause` is
 * the index, from 0, of the line that the finder ranked first. Undefined if it is not the output of
 * tests.
 */
export const failedTestOf = (lines: Lines, cause: number): FailedTest | undefined => {
  if (cause < 0 || cause >= lines.count) return undefined
  const counts = countsOf(lines, cause)
  const name = nameOfTest(lines, cause, counts !== undefined)
  if (name === undefined && !counts) return undefined
  return { name, failed: counts?.failed, total: counts?.total, message: messageOf(lines, cause, name) }
}

/** The same for a text of several lines. */
export const failedTestIn = (text: string, cause: number): FailedTest | undefined =>
  failedTestOf(linesNear(text, cause, { above: maxAbove, below: maxBelow, tail: maxTail }), cause)

/** The name and the message as one text; undefined if the tool prints no name. */
export const nameAndMessage = ({ name, message }: FailedTest): string | undefined =>
  name === undefined || message === '' ? name : `${name} – ${message}`
