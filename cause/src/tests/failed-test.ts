/** Which test a step failed at, where the cause is the output of tests: its name, how many failed, and what is wrong. */
import { countsOf, maxTail } from './counts.ts'
import { linesNear, type Lines } from './lines.ts'
import { messageOf } from './message.ts'
import { maxAbove, maxBelow, nameOfTest } from './names.ts'

export interface FailedTest {
  /** As the tool prints it; undefined where it prints none near the cause. */
  name: string | undefined
  /** How many tests failed, and of how many; undefined where the tool does not print it. */
  failed: number | undefined
  total: number | undefined
  /** What is wrong, at most 200 characters; may be empty. */
  message: string
}

/**
 * Reads at most some 2,000 lines of the log: those around the cause, and the last ones. `cause`: the index, from 0, of the line
 * that the finder put first. Undefined if it is not the output of tests.
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

/** The name and what is wrong, as one text; undefined where the tool prints no name. */
export const nameAndMessage = ({ name, message }: FailedTest): string | undefined =>
  name === undefined || message === '' ? name : `${name} – ${message}`
