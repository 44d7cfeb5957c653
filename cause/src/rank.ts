/** Orders the lines that a finder has recorded: by rule, position, exit code and neighboring lines. */
import type { Commands } from './commands.ts'
import type { Tail } from './ends.ts'
import { normalise } from './normalise.ts'
import { inOrder } from './order.ts'
import { maxAgain, type Seen, type SeenLines, type Occurrence } from './repeated-lines.ts'
import { failedProgramOf, isSame, programOf } from './program-prefix.ts'
import { diagnosed } from './waiting.ts'

export interface DecisiveLine {
  /** Its number, from 1 on, as on the screen. */
  line: number
  /** As one reads it, without colours, and cut. */
  text: string
  /** The rule that matched: a tool, or a kind of failure. */
  reason: string
  /**
   * The rule's weight: higher is more relevant. Comparable within one log only; after the first line, the order also
   * depends on form.
   */
  score: number
}

export interface EndOfStep {
  /** A step that ended well has no cause. */
  exitCode?: number | undefined
  /** Lines (from `normalise`) that the step printed when it last passed: a set, or an object with the same method. */
  known?: { has(line: string): boolean } | undefined
}

/** The maximum number of lines to return. */
const maxLines = 12
/** After the first three, lines whose score is lower than the first one's by more than this are dropped. */
const close = 30
const longestShown = 400

/** Where one of several that speak at the same time has failed, what the others say is worth so much less. */
const ofOther = 60

/** What an exit code says of itself. */
const hints: Readonly<Record<number, RegExp>> = {
  124: /\btimed? ?-?out\b|\bsignal TERM\b|\bTerminated\b/i,
  126: /permission denied|cannot execute|exec format/i,
  127: /not found/i,
  134: /abort|assert/i,
  137: /\bkilled\b|\boom|\bmemory\b/i,
  139: /segmentation|segv/i,
  143: /\bterminated\b|\btimed? ?out\b|\bcancel/i,
}
const hinted = 12

/** The penalty for a line that only announces another one. */
const headings = 32
/** What is wrong in a place may be so in others, too, before it is taken for noise. */
const fewTimes = 12
/** A line repeated this often with the same text comes from polling. */
const polled = 3
/** The penalty for warnings compared with errors, where warnings count as errors. */
const strictLess = 8
/**
 * Below this weight, a line is only a summary or the last line; and the minimum weight of a warning that such a line can
 * refer to.
 */
const telling = 50
const minWarned = 66
/** What a line must be worth to be the reason of a test that failed. */
const minOfTest = 76
/** The same, for a warning that only has to precede the lines after the summary. */
const minBeforeSum = 66
const minAbove = 55
const counting = /\b(?:violations?|warnings?|issues?|problems?|findings?|offenses?)\b|\bnot (?:been )?met\b/i

/** What a step left behind, once it has ended. */
export interface Heard {
  seen: SeenLines
  commands: Commands
  tail: Tail
  /** Warnings are errors. */
  isStrict: boolean
}

/** The settings for scoring a step's lines. */
interface View {
  hint: RegExp | undefined
  known: EndOfStep['known']
  /** Warnings count as errors if their rule has at least this weight. */
  strictFrom: number
  /** Which of several failed. */
  failed: readonly string[]
  /** How many commands there were. */
  commands: number
}

type Found = DecisiveLine & { block: number }

/** Points for lines that the step has not printed before. */
const freshness = (text: string, known: EndOfStep['known']): number =>
  known ? (known.has(normalise(text)) ? -40 : 10) : 0

const scoreOf = ({ weight: said, rule, count, isSoft, again }: Seen, occurrence: Occurrence, view: View): number => {
  const { text, command, boosted } = occurrence
  const isWarning = isSoft && rule.weight >= view.strictFrom && /warn/i.test(text)
  const weight = isWarning ? Math.max(said, rule.weight - strictLess) : said
  // Repeated lines are rarely the cause; but many tests can fail alike, and many positions can have the same error.
  const isPolled = count >= polled && occurrence.block === 0 && again.every((other) => other.text === text)
  const few = rule.ofPlaces ? fewTimes : 1
  const often =
    count > few && weight < 88 && !rule.opens && !boosted
      ? Math.min(24, (isPolled ? 5 : 4) * Math.log2(count)) / (weight > 80 && !isPolled ? 2 : 1)
      : 0
  const program = view.failed.length > 0 ? programOf(text) : undefined
  const isOfOther = program !== undefined && !view.failed.some((one) => isSame(program, one))
  return (
    weight +
    (boosted && weight > 30 && !rule.opens ? 10 : 0) +
    (view.hint?.test(text) ? hinted : 0) -
    often -
    (isOfOther ? ofOther : 0) -
    Math.min(75, 45 * (view.commands - command)) +
    freshness(text, view.known)
  )
}

const foundOf = (seen: Seen, occurrence: Occurrence, view: View): Found => {
  const isOfTest = occurrence.command === view.commands && (!seen.rule.opens || seen.rule.weight >= diagnosed)
  return {
    line: occurrence.line,
    text: occurrence.text.slice(0, longestShown),
    reason: seen.reason,
    score: scoreOf(seen, occurrence, view),
    block: isOfTest ? occurrence.block : 0,
  }
}

/** The name of a failed test is only a heading for the lines after it. */
const announce = (found: ReadonlyMap<number, DecisiveLine>, line: number, opens: number): void => {
  const one = found.get(line)
  if (!one) return
  for (let next = line + 1; next <= line + opens; next++)
    if ((found.get(next)?.score ?? 0) >= one.score + 6) {
      one.score -= headings
      return
    }
}

/** `Tests: 1 failed, 2 passed`, `3 failing`: behind it no test says anything. */
const testsSum = /\b[1-9]\d{0,6} (?:tests? )?(?:failed|failing|failures?)\b/

/** The first of several tests that failed, where what it says is worth so much at least. */
const firstOfTests = (
  found: readonly Found[],
  least: number,
): { first: DecisiveLine; maxScore: number } | undefined => {
  const best = new Map<number, DecisiveLine>()
  for (const one of found)
    if (one.block > 0 && one.score > (best.get(one.block)?.score ?? least)) best.set(one.block, one)
  const [first] = [...best].toSorted(([a], [b]) => a - b)
  return first && { first: first[1], maxScore: Math.max(...[...best.values()].map(({ score }) => score)) }
}

/**
 * Moves the first of several failed tests to the top, whatever the others' weights, and before failures that occur only
 * after the test summary.
 */
const liftFirst = (found: readonly Found[]): void => {
  const sums = found.filter(({ reason, text, block }) => block > 0 && reason === 'summary' && testsSum.test(text))
  const sum = Math.min(...sums.map(({ line }) => line))
  const behind = found.filter(({ line }) => line > sum)
  // Others may be run after it (a workspace).
  const isLast = !behind.some(({ block }) => block > sum)
  const ofTests = isLast ? found.filter(({ line }) => line < sum) : found
  const occurrence =
    firstOfTests(ofTests, minOfTest) ?? (behind.length > 0 ? firstOfTests(ofTests, minBeforeSum) : undefined)
  if (occurrence) occurrence.first.score = Math.max(occurrence.maxScore, ...behind.map(({ score }) => score))
}

/** A line that only says that something was not done is placed after the line above it, which has the reason. */
const liftAbove = (found: readonly DecisiveLine[]): void => {
  const byLine = new Map(found.map((one) => [one.line, one]))
  for (const one of found) {
    const above = byLine.get(one.line - 1)
    if (!above || one.reason !== 'error' || above.reason !== 'words' || above.score < minAbove) continue
    above.score = Math.max(above.score, one.score)
  }
}

/** Ranks the lines. Warnings count as errors if their weight is at least `strictFrom`. */
const ranked = (heard: Heard, { exitCode, known }: EndOfStep, strictFrom: number): DecisiveLine[] => {
  const { seen, commands, tail } = heard
  const all = seen.all()
  const failed = all.flatMap(({ occurrence, again }) =>
    [occurrence, ...again].flatMap(({ text, command }) => {
      const name = failedProgramOf(text)
      return name !== undefined && command === commands.count ? [name] : []
    }),
  )
  const view = { hint: hints[exitCode ?? 0], known, strictFrom, failed, commands: commands.count }
  const found = [...all, ...seen.late()].flatMap((one) =>
    [one.occurrence, ...(one.count <= maxAgain + 1 ? one.again : [])].map((occurrence) =>
      foundOf(one, occurrence, view),
    ),
  )
  liftFirst(found)
  liftAbove(found)
  const best = new Map<number, DecisiveLine>()
  const ends = tail.ends(commands, exitCode).map((one) => ({
    ...one,
    text: one.text.slice(0, longestShown),
    score: one.score + (one.reason === 'end' ? freshness(one.text, known) : 0),
  }))
  for (const one of [...found, ...ends])
    if (one.score > (best.get(one.line)?.score ?? -Infinity)) best.set(one.line, one)
  for (const { occurrence, again, rule } of all)
    if (rule.opens) for (const { line } of [occurrence, ...again]) announce(best, line, rule.opens)
  const order = [...best.values()].toSorted((a, b) => b.score - a.score || a.line - b.line)
  const least = (order[0]?.score ?? 0) - close
  return inOrder(order)
    .filter(({ score }, place) => place < 3 || score >= least)
    .slice(0, maxLines)
}

/** The error lines, most relevant first. */
export const rank = (heard: Heard, how: EndOfStep): DecisiveLine[] => {
  if (how.exitCode === 0) return []
  const lines = ranked(heard, how, heard.isStrict ? 0 : Infinity)
  const [first] = lines
  // Last words that only count what is wrong speak of what was warned of above them.
  const isCount =
    first?.reason !== 'warning' && first !== undefined && first.score < telling && counting.test(first.text)
  return isCount ? ranked(heard, how, minWarned) : lines
}
