/** Recognizes the step's commands, which a runner prints before it runs them. */

/** A line that starts with `+ ` within this many lines of a diff line belongs to the diff. */
const maxDiffGapLines = 8
/** `+ actual - expected`, above a diff. */
const legend = /^\+ (?:actual|expected|received) +- (?:actual|expected|received)/i
const maxLegendChars = 40
/** Commands that clean up after a failed one. */
const cleanupCommand =
  /^(?:[({] ?)?(?:exit|rm|cleanup|clean_up|trap|return|kill|wait|docker (?:rm|stop|compose down)|echo|printf|set|popd|cat|true|:)(?![\w-])/

/** Whether a line only has cleanup commands. */
export const isCleanup = (line: string): boolean =>
  /^[+$] /.test(line) &&
  line
    .slice(2)
    .split(/;|&&|\|\||\|/)
    .every((command) => command.trim() === '' || cleanupCommand.test(command.trim()))

const plus = 43
const dollar = 36
const dash = 45
const blank = 32

export interface Command {
  line: number
  text: string
}

export class Commands {
  /** The number of commands so far. */
  count = 0
  last: Command | undefined
  /** The last line of a diff. Diff lines can start with `+ `, like commands. */
  #difference = -maxDiffGapLines

  /** Whether the line is a command (`+ command` or `$ command`) rather than a diff line. */
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
    if (first === plus && legend.test(text.slice(from, from + maxLegendChars))) this.#difference = line
    return first === dollar || line - this.#difference > maxDiffGapLines
  }

  begin(line: number, text: string): void {
    if (isCleanup(text)) return
    this.count++
    this.last = { line, text }
  }
}
