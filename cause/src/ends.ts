/**
 * The last lines of a step, which are candidates because of their position, and the last command.
 */
import { isCleanup, type Command } from './commands.ts'
import { inTheirOrder, type End } from './tail-order.ts'
import { plainOf } from './plain.ts'
import { advice, banner, closing, falsePositive, mute, statement } from './rules/false-positives.ts'
import { ruleOf } from './rules/index.ts'
import { failedProgramOf, isSame, programOf } from './program-prefix.ts'

/** The number of last lines that are candidates regardless of their text. */
const maxTailLines = 40
/** The base score of the last line; higher if a later line says that the command failed. */
const lastLineScore = 40
const beforeSummaryScore = 44
/** `make: [Makefile:3: unit] Error 1 (ignored)`. */
const ignored = /\(ignored\)$/
/** The score of the lines before the last one. */
const earlierLineScore = 8
/** The score of a line that only gives advice, if there is no other candidate. */
const adviceScore = 30
/** The bonus for a program's own statement over its very last line. */
const statementBonus = 2
/** The score of a command without output. */
const silentCommandScore = 76

interface TailLine {
  line: number
  text: string
  command: number
}

/** Whether the program with this name printed the line, where several programs print to the log. */
const isBy = (plain: string, name: string): boolean => {
  const program = programOf(plain)
  return program !== undefined && isSame(program, name)
}

export class Tail {
  #lines: TailLine[] = []
  #last = 0

  /** Adds the lines up to `last`. `before` is the number of the last line added earlier. */
  keep(text: string, before: number, last: number, command: number): void {
    let end = text.length
    const lines: TailLine[] = []
    for (let line = last; line > before && lines.length < maxTailLines; line--) {
      const from = text.lastIndexOf('\n', end - 1) + 1
      lines.push({ line, text: text.slice(from, end), command })
      end = from - 1
    }
    this.#lines = [...this.#lines, ...lines.toReversed()].slice(-maxTailLines)
    this.#last = last
  }

  /** The last lines of the last command, or the command itself if it had no output. */
  ends(commands: { count: number; last: Command | undefined }, exitCode: number | undefined): End[] {
    const ends: End[] = []
    let hasOutput = false
    let baseScore = lastLineScore
    let isIgnored = false
    /** The first line that only gives advice: `usage: …`. */
    let adviceLine: End | undefined
    const lines = this.#lines.map((line) => ({ ...line, plain: plainOf(line.text) }))
    const failed = lines.find(
      ({ plain, command }) => command === commands.count && failedProgramOf(plain) !== undefined,
    )
    const failedProgram = failed && failedProgramOf(failed.plain)
    const hasProgram = failedProgram !== undefined && lines.some(({ plain }) => isBy(plain, failedProgram))
    for (const { line, plain, command } of lines.toReversed()) {
      if (hasProgram && failedProgram !== undefined && !isBy(plain, failedProgram) && plain !== failed?.plain) continue
      if (mute.test(plain) || banner.test(plain) || line === commands.last?.line || isCleanup(plain)) continue
      if (command < commands.count || line < (commands.last?.line ?? 0)) continue
      if (line > (commands.last?.line ?? 0)) hasOutput = true
      // Lines above this one belong to an ignored failure.
      if (ignored.test(plain)) isIgnored = true
      const isSum = ruleOf(plain)?.reason === 'summary'
      if (isSum) baseScore = isIgnored ? earlierLineScore : beforeSummaryScore
      if (advice.test(plain)) adviceLine = { line, text: plain, reason: 'end', score: adviceScore }
      if (isSum || falsePositive.test(plain) || advice.test(plain) || closing.test(plain)) continue
      const closeness = 1 - (this.#last - line) / maxTailLines
      const base = statement.test(plain) ? Math.max(baseScore, lastLineScore) + statementBonus : baseScore
      ends.push({ line, text: plain, reason: 'end', score: base + closeness })
      baseScore = earlierLineScore
    }
    if (ends.length === 0 && adviceLine) ends.push(adviceLine)
    const command = commands.last
    if (!command) return [...inTheirOrder(ends)]
    const isTimeout = exitCode === 124 && /\btimeout\b/.test(command.text)
    const score = isTimeout ? beforeSummaryScore : earlierLineScore - 1
    return [...inTheirOrder(ends), { ...command, reason: 'command', score: hasOutput ? score : silentCommandScore }]
  }
}
