/** The last lines of a step, which tell something by their place alone, and the command that was the last. */
import { tidying, type Command } from './commands.ts'
import { plainOf } from './plain.ts'
import { advice, banner, closing, harmless, mute, statement } from './rules/harmless.ts'
import { ruleOf } from './rules/index.ts'

/** The last lines are looked at whatever they say. */
const tailKept = 40
/** What the last line is worth, whatever it says; more if somebody says behind it that the command failed. */
const lastWords = 34
const lastWordsBeforeSum = 44
/** And those before it. */
const others = 8
/** A program's own statement tells a little more than its very last words. */
const stated = 2
/** What a command is worth that said nothing. */
const silent = 76

interface TailLine {
  line: number
  text: string
  command: number
}

export interface End {
  line: number
  text: string
  reason: string
  score: number
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
    for (const { line, text, command } of this.#lines.toReversed()) {
      const plain = plainOf(text)
      if (mute.test(plain) || banner.test(plain) || line === commands.last?.line || tidying.test(plain)) continue
      if (command < commands.count) continue
      if (line > (commands.last?.line ?? 0)) said = true
      const isSum = ruleOf(plain)?.reason === 'summary'
      if (isSum) words = lastWordsBeforeSum
      if (isSum || harmless.test(plain) || advice.test(plain) || closing.test(plain)) continue
      const near = 1 - (this.#last - line) / tailKept
      const worth = statement.test(plain) ? Math.max(words, lastWords) + stated : words
      ends.push({ line, text: plain, reason: 'end', score: worth + near })
      words = others
    }
    const command = commands.last
    if (!command) return ends
    const isTimeout = exitCode === 124 && /\btimeout\b/.test(command.text)
    const score = isTimeout ? lastWordsBeforeSum : others - 1
    return [...ends, { ...command, reason: 'command', score: said ? score : silent }]
  }
}
