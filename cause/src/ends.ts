/** The last lines of a step, which are candidates by their position alone, and the last command. */
import { isCleanup, type Command } from './commands.ts'
import { inTheirOrder, type End } from './tail-order.ts'
import { plainOf } from './plain.ts'
import { advice, banner, closing, falsePositive, mute, statement } from './rules/false-positives.ts'
import { ruleOf } from './rules/index.ts'
import { failedProgramOf, isSame, programOf } from './program-prefix.ts'

/** The number of last lines that are candidates regardless of their text. */
const tailKept = 40
/** The base weight of the last line; higher if a later line says that the command failed. */
const lastWords = 40
const lastWordsBeforeSum = 44
/** `make: [Makefile:3: unit] Error 1 (ignored)`. */
const ignored = /\(ignored\)$/
/** And those before it. */
const others = 8
/** The weight of a line that only gives advice, if there is no other candidate. */
const onlyAdvice = 30
/** The bonus for a program's own statement over its very last line. */
const stated = 2
/** The weight of a command without output. */
const silent = 76

interface TailLine {
  line: number
  text: string
  command: number
}

/** Whether the line is from the program with this name, where several write to the log. */
const isBy = (plain: string, name: string): boolean => {
  const program = programOf(plain)
  return program !== undefined && isSame(program, name)
}

export class Tail {
  #lines: TailLine[] = []
  #last = 0

  /** `text` are the lines up to `last`; `before` is the last of those that came before. */
  keep(text: string, before: number, last: number, command: number): void {
    let end = text.length
    const lines: TailLine[] = []
    for (let line = last; line > before && lines.length < tailKept; line--) {
      const from = text.lastIndexOf('\n', end - 1) + 1
      lines.push({ line, text: text.slice(from, end), command })
      end = from - 1
    }
    this.#lines = [...this.#lines, ...lines.toReversed()].slice(-tailKept)
    this.#last = last
  }

  /** The last lines of the last command, or the command itself if it had no output. */
  ends(commands: { count: number; last: Command | undefined }, exitCode: number | undefined): End[] {
    const ends: End[] = []
    let said = false
    let words = lastWords
    let isPassedOver = false
    /** The first line that only says what to do: `usage: …`. */
    let advised: End | undefined
    const lines = this.#lines.map((one) => ({ ...one, plain: plainOf(one.text) }))
    const failed = lines.find(
      ({ plain, command }) => command === commands.count && failedProgramOf(plain) !== undefined,
    )
    const loser = failed && failedProgramOf(failed.plain)
    const hasProgram = loser !== undefined && lines.some(({ plain }) => isBy(plain, loser))
    for (const { line, plain, command } of lines.toReversed()) {
      if (hasProgram && loser !== undefined && !isBy(plain, loser) && plain !== failed?.plain) continue
      if (mute.test(plain) || banner.test(plain) || line === commands.last?.line || isCleanup(plain)) continue
      if (command < commands.count || line < (commands.last?.line ?? 0)) continue
      if (line > (commands.last?.line ?? 0)) said = true
      // Lines above this one belong to an ignored failure.
      if (ignored.test(plain)) isPassedOver = true
      const isSum = ruleOf(plain)?.reason === 'summary'
      if (isSum) words = isPassedOver ? others : lastWordsBeforeSum
      if (advice.test(plain)) advised = { line, text: plain, reason: 'end', score: onlyAdvice }
      if (isSum || falsePositive.test(plain) || advice.test(plain) || closing.test(plain)) continue
      const near = 1 - (this.#last - line) / tailKept
      const worth = statement.test(plain) ? Math.max(words, lastWords) + stated : words
      ends.push({ line, text: plain, reason: 'end', score: worth + near })
      words = others
    }
    if (ends.length === 0 && advised) ends.push(advised)
    const command = commands.last
    if (!command) return [...inTheirOrder(ends)]
    const isTimeout = exitCode === 124 && /\btimeout\b/.test(command.text)
    const score = isTimeout ? lastWordsBeforeSum : others - 1
    return [...inTheirOrder(ends), { ...command, reason: 'command', score: said ? score : silent }]
  }
}
