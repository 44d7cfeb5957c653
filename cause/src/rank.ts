/**
 * Orders the lines that a finder has recorded: by rule, position, exit code and neighboring lines.
 */
import type { Commands } from './commands.ts'
import type { Tail } from './ends.ts'
import { normalise } from './normalise.ts'
import { inOrder } from './order.ts'
import { maxAgain, type Seen, type SeenLines, type Occurrence } from './repeated-lines.ts'
import { failedProgramOf, isSame, programOf } from './program-prefix.ts'
import { diagnosisWeight } from './line-context.ts'

export interface DecisiveLine {
  /** The line number, from 1, as on the screen. */
  line: number
  /** The visible text, truncated. */
  text: string
  /** The rule that matched: a tool, or a kind of failure. */
  reason: string
  /**
   * The rule's weight: higher is more relevant. Comparable within one log only; after the first
   * line, the order also depends on form.
   */
  score: number
}

export interface EndOfStep {
  /** Steps with exit code 0 have no error lines. */
  exitCode?: number | undefined
  /**
   * Lines (from `normalise`) that the step printed when it last passed: a set, or an object with
   * the same method.
   */
  known?: { has(line: string): boolean } | undefined
}

/** The maximum number of lines to return. */
const maxLines = 12
/**
 * After the first three, lines whose score is lower than the first one's by more than this are
 * dropped.
 */
const maxScoreGap = 30
const maxShownChars = 400

/** The penalty for output of programs other than the one that failed. */
const otherProgramPenalty = 60

/** The messages that belong to an exit code. */
const hints: Readonly<Record<number, RegExp>> = {
  124: /\btimed? ?-?out\b|\bsignal TERM\b|\bTerminated\b/i,
  126: /permission denied|cannot execute|exec format/i,
  127: /not found/i,
  134: /abort|assert/i,
  137: /\bkilled\b|\boom|\bmemory\b/i,
  139: /segmentation|segv/i,
  143: /\bterminated\b|\btimed? ?out\b|\bcancel/i,
}
const exitCodeBonus = 12

/** The penalty for a line that only announces another one. */
const headingPenalty = 32
/** An error can occur at this many file positions before it counts as noise. */
const maxPositions = 12
/** A line repeated this often with the same text comes from polling. */
const minPolled = 3
/** The penalty for warnings compared with errors, where warnings count as errors. */
const warningPenalty = 8
/**
 * Below this weight, a line is only a summary or the last line; and the minimum weight of a warning
 * that such a line can refer to.
 */
const minSummaryWeight = 50
const minWarned = 66
/** The minimum weight of a line that can be the reason of a failed test. */
const minOfTest = 76
/** The same for a warning, which only has to precede the lines after the summary. */
const minBeforeSum = 66
const minAbove = 55
const counting = /\b(?:violations?|warnings?|issues?|problems?|findings?|offenses?)\b|\bnot (?:been )?met\b/i

/** What the finder recorded of a step. */
export interface StepRecord {
  seen: SeenLines
  commands: Commands
  tail: Tail
  /** Whether warnings count as errors. */
  isStrict: boolean
}

/** The settings for scoring a step's lines. */
interface View {
  hint: RegExp | undefined
  known: EndOfStep['known']
  /** Warnings count as errors if their rule has at least this weight. */
  strictFrom: number
  /** The names of the failed programs. */
  failed: readonly string[]
  /** The number of commands. */
  commands: number
}

type Found = DecisiveLine & { block: number }

/** Points for lines that the step has not printed before. */
const noveltyPoints = (text: string, known: EndOfStep['known']): number =>
  known ? (known.has(normalise(text)) ? -40 : 10) : 0

const scoreOf = (
  { weight: ownWeight, rule, count, isSoft, again }: Seen,
  occurrence: Occurrence,
  view: View,
): number => {
  const { text, command, boosted } = occurrence
  const isWarning = isSoft && rule.weight >= view.strictFrom && /warn/i.test(text)
  const weight = isWarning ? Math.max(ownWeight, rule.weight - warningPenalty) : ownWeight
  // Repeated lines are rarely the cause; but many tests can fail alike, and many positions can have
  // the same error.
  const isPolled = count >= minPolled && occurrence.block === 0 && again.every((other) => other.text === text)
  const few = rule.ofPlaces ? maxPositions : 1
  const often =
    count > few && weight < 88 && !rule.opens && !boosted
      ? Math.min(24, (isPolled ? 5 : 4) * Math.log2(count)) / (weight > 80 && !isPolled ? 2 : 1)
      : 0
  const program = view.failed.length > 0 ? programOf(text) : undefined
  const isOfOther = program !== undefined && !view.failed.some((name) => isSame(program, name))
  return (
    weight +
    (boosted && weight > 30 && !rule.opens ? 10 : 0) +
    (view.hint?.test(text) ? exitCodeBonus : 0) -
    often -
    (isOfOther ? otherProgramPenalty : 0) -
    Math.min(75, 45 * (view.commands - command)) +
    noveltyPoints(text, view.known)
  )
}

const foundOf = (seen: Seen, occurrence: Occurrence, view: View): Found => {
  const isOfTest = occurrence.command === view.commands && (!seen.rule.opens || seen.rule.weight >= diagnosisWeight)
  return {
    line: occurrence.line,
    text: occurrence.text.slice(0, maxShownChars),
    reason: seen.reason,
    score: scoreOf(seen, occurrence, view),
    block: isOfTest ? occurrence.block : 0,
  }
}

/** Reduces the score of a failed test's name: it is only a heading for the lines after it. */
const announce = (found: ReadonlyMap<number, DecisiveLine>, line: number, opens: number): void => {
  const heading = found.get(line)
  if (!heading) return
  for (let next = line + 1; next <= line + opens; next++)
    if ((found.get(next)?.score ?? 0) >= heading.score + 6) {
      heading.score -= headingPenalty
      return
    }
}

/** `Tests: 1 failed, 2 passed`, `3 failing`: no test prints anything after it. */
const testsSum = /\b[1-9]\d{0,6} (?:tests? )?(?:failed|failing|failures?)\b/

/** The first of several failed tests whose line has at least this weight. */
const firstOfTests = (
  found: readonly Found[],
  minScore: number,
): { first: DecisiveLine; maxScore: number } | undefined => {
  const best = new Map<number, DecisiveLine>()
  for (const cause of found)
    if (cause.block > 0 && cause.score > (best.get(cause.block)?.score ?? minScore)) best.set(cause.block, cause)
  const [first] = [...best].toSorted(([a], [b]) => a - b)
  return first && { first: first[1], maxScore: Math.max(...[...best.values()].map(({ score }) => score)) }
}

/**
 * Moves the first of several failed tests to the top, whatever the others' weights, and before
 * failures that occur only after the test summary.
 */
const liftFirst = (found: readonly Found[]): void => {
  const sums = found.filter(({ reason, text, block }) => block > 0 && reason === 'summary' && testsSum.test(text))
  const sum = Math.min(...sums.map(({ line }) => line))
  const later = found.filter(({ line }) => line > sum)
  // In a workspace, other tests can run after it.
  const isLast = !later.some(({ block }) => block > sum)
  const ofTests = isLast ? found.filter(({ line }) => line < sum) : found
  const occurrence =
    firstOfTests(ofTests, minOfTest) ?? (later.length > 0 ? firstOfTests(ofTests, minBeforeSum) : undefined)
  if (occurrence) occurrence.first.score = Math.max(occurrence.maxScore, ...later.map(({ score }) => score))
}

/**
 * Moves a line that only says that something was not done after the line above it, which has the
 * reason.
 */
const liftAbove = (found: readonly DecisiveLine[]): void => {
  const byLine = new Map(found.map((cause) => [cause.line, cause]))
  for (const one of found) {
    const above = byLine.get(one.line - 1)
    if (!above || one.reason !== 'error' || above.reason !== 'words' || above.score < minAbove) continue
    above.score = Math.max(above.score, one.score)
  }
}

/** Ranks the lines. Warnings count as errors if their weight is at least `strictFrom`. */
const ranked = (record: StepRecord, { exitCode, known }: EndOfStep, strictFrom: number): DecisiveLine[] => {
  const { seen, commands, tail } = record
  const all = seen.all()
  const failed = all.flatMap(({ occurrence, again }) =>
    [occurrence, ...again].flatMap(({ text, command }) => {
      const name = failedProgramOf(text)
      return name !== undefined && command === commands.count ? [name] : []
    }),
  )
  const view = { hint: hints[exitCode ?? 0], known, strictFrom, failed, commands: commands.count }
  const found = [...all, ...seen.late()].flatMap((end) =>
    [end.occurrence, ...(end.count <= maxAgain + 1 ? end.again : [])].map((occurrence) =>
      foundOf(end, occurrence, view),
    ),
  )
  liftFirst(found)
  liftAbove(found)
  const best = new Map<number, DecisiveLine>()
  const ends = tail.ends(commands, exitCode).map((cause) => ({
    ...cause,
    text: cause.text.slice(0, maxShownChars),
    score: cause.score + (cause.reason === 'end' ? noveltyPoints(cause.text, known) : 0),
  }))
  for (const one of [...found, ...ends])
    if (one.score > (best.get(one.line)?.score ?? -Infinity)) best.set(one.line, one)
  for (const { occurrence, again, rule } of all)
    if (rule.opens) for (const { line } of [occurrence, ...again]) announce(best, line, rule.opens)
  const order = [...best.values()].toSorted((a, b) => b.score - a.score || a.line - b.line)
  const minScore = (order[0]?.score ?? 0) - maxScoreGap
  return inOrder(order)
    .filter(({ score }, index) => index < 3 || score >= minScore)
    .slice(0, maxLines)
}

/** The error lines, most relevant first. */
export const rank = (record: StepRecord, how: EndOfStep): DecisiveLine[] => {
  if (how.exitCode === 0) return []
  const lines = ranked(record, how, record.isStrict ? 0 : Infinity)
  const [first] = lines
  // Last lines that only count problems refer to the warnings above them.
  const isCount =
    first?.reason !== 'warning' && first !== undefined && first.score < minSummaryWeight && counting.test(first.text)
  return isCount ? ranked(record, how, minWarned) : lines
}
