/** The last lines of a step, which tell something by their place alone, and the command that was the last. */
import { tidying, type Command } from './commands.ts'
import { inTheirOrder, type End } from './tail-order.ts'
import { plainOf } from './plain.ts'
import { advice, banner, closing, harmless, mute, statement } from './rules/harmless.ts'
import { ruleOf } from './rules/index.ts'
import { failedOf, isSame, speakerOf } from './speakers.ts'

/** The last lines are looked at whatever they say. */
const tailKept = 40
/** What the last line is worth, whatever it says; more if somebody says behind it that the command failed. */
const lastWords = 40
const lastWordsBeforeSum = 44
/** `make: [Makefile:3: unit] Error 1 (ignored)`. */
const ignored = /\(ignored\)$/
/** And those before it. */
const others = 8
/** What only says what to do, where nothing else is said. */
const onlyAdvice = 30
/** A program's own statement tells a little more than its very last words. */
const stated = 2
/** What a command is worth that said nothing. */
const silent = 76

interface TailLine {
  line: number
  text: string
  command: number
}

/** Does one of several programs say this, who has that name? */
const isBy = (plain: string, name: string): boolean => {
  const speaker = speakerOf(plain)
  return speaker !== undefined && isSame(speaker, name)
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

  /** The last lines of the last command, and the command itself, which is its own reason when it said nothing. */
  ends(commands: { count: number; last: Command | undefined }, exitCode: number | undefined): End[] {
    const ends: End[] = []
    let said = false
    let words = lastWords
    let isPassedOver = false
    /** The first line that only says what to do: `usage: …`. */
    let advised: End | undefined
    const lines = this.#lines.map((one) => ({ ...one, plain: plainOf(one.text) }))
    const failed = lines.find(({ plain, command }) => command === commands.count && failedOf(plain) !== undefined)
    const loser = failed && failedOf(failed.plain)
    const hasSpeaker = loser !== undefined && lines.some(({ plain }) => isBy(plain, loser))
    for (const { line, plain, command } of lines.toReversed()) {
      if (hasSpeaker && loser !== undefined && !isBy(plain, loser) && plain !== failed?.plain) continue
      if (mute.test(plain) || banner.test(plain) || line === commands.last?.line || tidying(plain)) continue
      if (command < commands.count || line < (commands.last?.line ?? 0)) continue
      if (line > (commands.last?.line ?? 0)) said = true
      // What was said above it is not what broke.
      if (ignored.test(plain)) isPassedOver = true
      const isSum = ruleOf(plain)?.reason === 'summary'
      if (isSum) words = isPassedOver ? others : lastWordsBeforeSum
      if (advice.test(plain)) advised = { line, text: plain, reason: 'end', score: onlyAdvice }
      if (isSum || harmless.test(plain) || advice.test(plain) || closing.test(plain)) continue
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
