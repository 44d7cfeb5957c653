/** Which lines are commands of the step, as a runner prints them before it runs them. */

/** So far behind a line of a difference a `+ ` is one of it, and no command. */
const differenceLines = 8
/** `+ actual - expected`, above a difference. */
const legend = /^\+ (?:actual|expected|received) +- (?:actual|expected|received)/i
const longestLegend = 40
/** Commands that tidy up behind one that failed. */
const tidies =
  /^(?:[({] ?)?(?:exit|rm|cleanup|clean_up|trap|return|kill|wait|docker (?:rm|stop|compose down)|echo|printf|set|popd|cat|true|:)(?![\w-])/

/** Does a line hold nothing but commands that tidy up? */
export const isCleanup = (line: string): boolean =>
  /^[+$] /.test(line) &&
  line
    .slice(2)
    .split(/;|&&|\|\||\|/)
    .every((command) => command.trim() === '' || tidies.test(command.trim()))

const plus = 43
const dollar = 36
const dash = 45
const blank = 32

export interface Command {
  line: number
  text: string
}

export class Commands {
  /** How many there were. */
  count = 0
  last: Command | undefined
  /** The last line of a difference, which has lines that begin with `+ ` as commands do. */
  #difference = -differenceLines

  /** `+ command`, and `$ command`; not the lines of a difference. */
  isOne(line: number, text: string, from: number): boolean {
    const first = text.charCodeAt(from)
    if (first === dash) this.#difference = line
    if (first !== plus && first !== dollar) return false
    const second = text.charCodeAt(from + 1)
    const third = text.charCodeAt(from + 2)
    if (second !== blank || third === blank || Number.isNaN(third)) {
      if (first === plus && second !== plus) this.#difference = line
      return false
    }
    if (first === plus && legend.test(text.slice(from, from + longestLegend))) this.#difference = line
    return first === dollar || line - this.#difference > differenceLines
  }

  begin(line: number, text: string): void {
    if (isCleanup(text)) return
    this.count++
    this.last = { line, text }
  }
}
