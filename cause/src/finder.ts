/** Which lines of a failed step tell why, found while its log goes by once. Keeps a bounded number of lines, whatever comes. */
import { sift, tableOf } from './grams.ts'
import { normalise } from './normalise.ts'
import { plainOf } from './plain.ts'
import { harmless, rules, words, type Rule } from './rules.ts'

export interface DecisiveLine {
  /** Its number, from 1 on, as on the screen. */
  line: number
  /** As one reads it, without colours, and cut. */
  text: string
  /** What tells that it matters: a tool, or what it is about. */
  reason: string
  /** The higher, the more it tells. Comparable within one log only. */
  score: number
}

export interface EndOfStep {
  /** A step that ended well has no cause. */
  exitCode?: number | undefined
  /** Lines (as `normalise` makes them) that the step said before, when it was green: a set, or what answers as one. */
  known?: { has(line: string): boolean } | undefined
}

export interface Finder {
  /** A line, or several joined by line ends (none behind the last). */
  push(text: string): void
  /** The decisive lines, the most telling first. May be asked again when more came. */
  end(how?: EndOfStep): DecisiveLine[]
}

/** How many lines are told at most. */
const most = 12
const longestShown = 400
/** How many lines are kept of each kind: the first ones, and the last ones. */
const firstKept = 64
const lastKept = 64
/** The last lines are looked at whatever they say. */
const tailKept = 40

interface Candidate {
  line: number
  text: string
  rule: Rule
  /** How many commands had begun by then. */
  command: number
}

/** The first and the last lines of a kind. */
class Kept {
  readonly first: Candidate[] = []
  readonly last: Candidate[] = []

  push(candidate: Candidate): void {
    if (this.first.length < firstKept) this.first.push(candidate)
    else {
      this.last.push(candidate)
      if (this.last.length > 2 * lastKept) this.last.splice(0, lastKept)
    }
  }
}

const table = tableOf(words)
const tailRule: Rule = { reason: 'end', weight: 8, pattern: /^/ }
/** Commands that tidy up behind one that failed. */
const tidying = /^\+ (?:exit|rm|cleanup|trap|return|kill|docker (?:rm|stop)|echo|set)\b/

class LogFinder implements Finder {
  #lines = 0
  #commands = 0
  readonly #kept = new Map<string, Kept>()
  #tail: { line: number; text: string; command: number }[] = []

  push(text: string): void {
    const before = this.#lines
    this.#lines += sift(text, table, (index, from, to) => this.#look(before + index + 1, text.slice(from, to)))
    this.#keepTail(text, before)
  }

  #look(line: number, raw: string): void {
    const text = plainOf(raw)
    if (text.startsWith('+ ')) {
      if (!tidying.test(text)) this.#commands++
      return
    }
    if (harmless.test(text)) return
    const rule = rules.find(({ pattern }) => pattern.test(text))
    if (!rule) return
    const key = `${rule.reason} ${rule.weight}`
    let kept = this.#kept.get(key)
    if (!kept) this.#kept.set(key, (kept = new Kept()))
    kept.push({ line, text, rule, command: this.#commands })
  }

  #keepTail(text: string, before: number): void {
    let end = text.length
    const lines: { line: number; text: string; command: number }[] = []
    for (let line = this.#lines; line > before && lines.length < tailKept; line--) {
      const from = text.lastIndexOf('\n', end - 1) + 1
      lines.push({ line, text: text.slice(from, end), command: this.#commands })
      end = from - 1
    }
    this.#tail = [...this.#tail, ...lines.toReversed()].slice(-tailKept)
  }

  end({ exitCode, known }: EndOfStep = {}): DecisiveLine[] {
    if (exitCode === 0) return []
    const candidates = [...this.#kept.values()].flatMap(({ first, last }) => [...first, ...last])
    const seen = new Set(candidates.map(({ line }) => line))
    for (const { line, text, command } of this.#tail) {
      const plain = plainOf(text)
      if (!seen.has(line) && /\w/.test(plain) && !plain.startsWith('+ '))
        candidates.push({ line, text: plain, rule: tailRule, command })
    }
    return candidates
      .map((candidate) => this.#scored(candidate, known))
      .toSorted((a, b) => b.score - a.score || a.line - b.line)
      .slice(0, most)
  }

  #scored({ line, text, rule, command }: Candidate, known: EndOfStep['known']): DecisiveLine {
    const behind = this.#commands - command
    const fresh = known ? (known.has(normalise(text)) ? -40 : 10) : 0
    const near = rule === tailRule ? line / Math.max(1, this.#lines) : 0
    const score = rule.weight + fresh + near - Math.min(60, 30 * behind)
    return { line, text: text.slice(0, longestShown), reason: rule.reason, score }
  }
}

export const createFinder = (): Finder => new LogFinder()
