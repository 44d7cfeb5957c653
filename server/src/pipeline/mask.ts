/**
 * Masks secrets in a text that arrives in chunks (docs/api §7.8), even if a secret spans two
 * chunks. Masks a multi-line secret as a whole and line by line, since tools print such lines
 * indented or one by one.
 */
import { MaskAutomaton } from './mask-automaton.ts'

export interface MaskedSecret {
  name: string
  data: string
}

/** Masking shorter values would hide half of every log. */
const minValueLength = 2

/**
 * Compiles the secrets once for all steps of a stage; takes time and memory linear in the secrets.
 */
export function compileMask(secrets: readonly MaskedSecret[]): MaskAutomaton {
  const values = new Map<string, string>()
  for (const { name, data } of secrets) {
    // An environment variable cannot contain NUL.
    const given = data.replaceAll('\0', '')
    const lines = given.split(/[\r\n]/).map((line) => line.trim())
    const replacement = `[secret:${name.toLowerCase()}]`
    for (const value of [data, given, given.trimEnd(), ...lines]) {
      if (value.length >= minValueLength && !values.has(value)) values.set(value, replacement)
    }
  }
  return new MaskAutomaton([...values].map(([value, replacement]) => ({ value, replacement })))
}

/**
 * Takes time linear in the text, for any secrets. If several values start at one position, the
 * longest is masked.
 */
export class Masker {
  private readonly automaton: MaskAutomaton
  /** The automaton's state after the buffered text. */
  private node = 0
  private pending = ''

  constructor(mask: MaskAutomaton | readonly MaskedSecret[]) {
    this.automaton = mask instanceof MaskAutomaton ? mask : compileMask(mask)
  }

  /** Returns the text that can be shown; buffers the end while it may be the start of a secret. */
  push(chunk: string): string {
    return this.take(chunk, false)
  }

  /** Returns the buffered text. */
  flush(): string {
    return this.take('', true)
  }

  private take(chunk: string, last: boolean): string {
    const { automaton } = this
    if (automaton.isEmpty) return chunk
    const text = this.pending + chunk
    /** Up to here the text is settled, and up to there it is in `shown`. */
    let [settled, copied] = [0, 0]
    let shown = ''
    const settle = (length: number, replacement: string | undefined): void => {
      if (replacement !== undefined) {
        shown += text.slice(copied, settled) + replacement
        copied = settled + length
      }
      settled += length
    }
    let { node } = this
    // Reads only the new chunk, however much is buffered.
    for (let at = 0; at < chunk.length; at += 1) {
      const unit = chunk.charCodeAt(at)
      let child = automaton.child(node, unit)
      while (child === 0 && node !== 0) {
        node = automaton.follow(node, settle)
        child = automaton.child(node, unit)
      }
      node = child
      if (node === 0) settled += 1
      else while (node !== 0 && automaton.isLeaf(node)) node = automaton.follow(node, settle)
    }
    if (last) while (node !== 0) node = automaton.follow(node, settle)
    this.node = node
    this.pending = text.slice(settled)
    return shown + text.slice(copied, settled)
  }
}
