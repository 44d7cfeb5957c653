/**
 * Hides secrets in a text that arrives in chunks (docs/api §7.8), also where a secret is split over two of them. A secret
 * of several lines is hidden as a whole and each of its lines too, since tools print them indented or one by one.
 */

export interface MaskedSecret {
  name: string
  data: string
}

/** Shorter ones would hide half of every log. */
const shortest = 2

/** Two characters as one number. */
const startAt = (text: string, at: number): number => text.charCodeAt(at) * 0x1_00_00 + text.charCodeAt(at + 1)

const replacements = (secrets: readonly MaskedSecret[]): Map<string, string> => {
  const result = new Map<string, string>()
  for (const { name, data } of secrets) {
    // An environment holds no NUL.
    const given = data.replaceAll('\0', '')
    const lines = given.split(/[\r\n]/).map((line) => line.trim())
    for (const value of [data, given, given.trimEnd(), ...lines]) {
      if (value.length >= shortest && !result.has(value)) result.set(value, `[secret:${name.toLowerCase()}]`)
    }
  }
  return result
}

export class Masker {
  private readonly replacements: Map<string, string>
  /** By the first two characters, the longest value first: a bundle of certificates has thousands of lines. */
  private readonly byStart = new Map<number, string[]>()
  private readonly firsts = new Set<number>()
  private pending = ''

  constructor(secrets: readonly MaskedSecret[]) {
    this.replacements = replacements(secrets)
    for (const value of [...this.replacements.keys()].toSorted((a, b) => b.length - a.length)) {
      const start = startAt(value, 0)
      const values = this.byStart.get(start)
      if (values) values.push(value)
      else this.byStart.set(start, [value])
      this.firsts.add(value.charCodeAt(0))
    }
  }

  /** What may be shown now; the end is held back while it may be the beginning of a secret. */
  push(text: string): string {
    return this.take(text, false)
  }

  /** What was held back. */
  flush(): string {
    return this.take('', true)
  }

  private take(chunk: string, last: boolean): string {
    const text = this.pending + chunk
    this.pending = ''
    if (this.byStart.size === 0) return text
    let shown = ''
    let from = 0
    for (let at = 0; at < text.length; at += 1) {
      if (at === text.length - 1) {
        if (last || !this.firsts.has(text.charCodeAt(at))) break
        this.pending = text.slice(at)
        return shown + text.slice(from, at)
      }
      const values = this.byStart.get(startAt(text, at))
      if (!values) continue
      if (!last && values.some((value) => text.length - at < value.length && value.startsWith(text.slice(at)))) {
        this.pending = text.slice(at)
        return shown + text.slice(from, at)
      }
      const found = values.find((value) => text.startsWith(value, at))
      if (found === undefined) continue
      shown += text.slice(from, at) + (this.replacements.get(found) ?? '')
      from = at + found.length
      at = from - 1
    }
    return shown + text.slice(from)
  }
}
