/**
 * Reads values of known types from YAML nodes and collects type errors, with the texts of docs/api
 * §6.1.
 */
import { isMap, isPair, isScalar, isSeq } from 'yaml'
import type { Node, Scalar, YAMLMap } from 'yaml'
import { ConfigError } from './doc.ts'
import { where } from './yaml-text.ts'
import type { Budget, YamlDocument } from './yaml-text.ts'

const nulls = new Set(['', '~', 'null', 'Null', 'NULL'])
const truths = /^(?:y|Y|yes|Yes|YES|on|On|ON|true|True|TRUE)$/
const lies = /^(?:n|N|no|No|NO|off|Off|OFF|false|False|FALSE)$/
const integer = /^[-+]?(?:0x[\da-fA-F]+|0o[0-7]+|0b[01]+|\d+)$/
const float = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/
const deepestMerge = 50
/** The error text is stored with the build and sent with every list that shows it. */
const maxWrong = 100

export type Entries = ReadonlyMap<string, Node | null>

export class Decoder {
  readonly document: YamlDocument
  private readonly budget: Budget
  private readonly wrong: string[] = []
  private unsaid = 0

  constructor(document: YamlDocument, budget: Budget) {
    this.document = document
    this.budget = budget
  }

  /** Throws the collected errors, one line each. */
  finish(): void {
    if (this.wrong.length === 0) return
    const omitted = this.unsaid > 0 ? [`  and ${this.unsaid} more`] : []
    throw new ConfigError(
      `yaml: unmarshal errors:\n${[...this.wrong, ...omitted].join('\n')}${where(this.document.text)}`,
    )
  }

  /**
   * The keys of a map with merge keys applied; the last of repeated keys wins. `null` if the map is
   * absent.
   */
  struct(node: unknown, type: string): Entries | null {
    const value = this.present(node)
    if (!value) return null
    if (isMap(value)) return this.entries(value, [])
    this.mismatch(value, type)
    return null
  }

  text(node: unknown): string {
    const value = this.present(node)
    if (!value) return ''
    if (isScalar(value)) return written(value)
    this.mismatch(value, 'string')
    return ''
  }

  flag(node: unknown): boolean {
    const value = this.present(node)
    if (!value) return false
    const plain = isScalar(value) && value.type === 'PLAIN' ? written(value) : undefined
    if (plain !== undefined && truths.test(plain)) return true
    if (plain === undefined || !lies.test(plain)) this.mismatch(value, 'bool')
    return false
  }

  /** Fractions are cut off: 2.5 is 2. */
  number(node: unknown): number {
    const value = this.present(node)
    if (!value) return 0
    const plain = isScalar(value) && value.type === 'PLAIN' ? written(value) : ''
    const result = kindOfNumber(plain) === null ? NaN : Math.trunc(numberOf(plain.replaceAll('_', '')))
    if (Number.isSafeInteger(result)) return result
    this.mismatch(value, 'int')
    return 0
  }

  texts(node: unknown): string[] {
    return this.list(node, '[]string').map((item) => this.text(item))
  }

  /** The items of a list; empty if it is absent or not a list. */
  list(node: unknown, type: string): (Node | null)[] {
    const value = this.present(node)
    if (!value) return []
    if (isSeq(value)) {
      this.spend(value.items.length)
      return value.items.map((item) => this.document.resolve(item))
    }
    this.mismatch(value, type)
    return []
  }

  textMap(node: unknown): Record<string, string> {
    const entries = this.struct(node, 'map[string]string')
    return entries ? Object.fromEntries([...entries].map(([key, value]) => [key, this.text(value)])) : {}
  }

  /** Resolves aliases; `null` for `null`, `~` and an empty value. */
  present(node: unknown): Node | null {
    const value = this.document.resolve(node)
    if (isScalar(value)) this.spendText(written(value))
    if (isScalar(value) && value.type === 'PLAIN' && nulls.has(written(value))) return null
    return value
  }

  mismatch(node: Node, type: string): void {
    if (this.wrong.length < maxWrong) {
      this.wrong.push(`  line ${this.document.lineOf(node)}: cannot unmarshal ${describe(node)} into ${type}`)
    } else this.unsaid += 1
  }

  /** Counts the cost of matching a text against a pattern of the file. */
  spendPattern(cost: number): void {
    this.budget.patterns -= cost
    if (this.budget.patterns < 0) throw new ConfigError('yaml: the patterns in the conditions of the file are too long')
  }

  private spendText(text: string): void {
    this.budget.characters -= text.length
    if (this.budget.characters < 0) throw new ConfigError('yaml: document contains excessive aliasing')
  }

  private spend(count: number): void {
    this.budget.visits -= count
    if (this.budget.visits < 0) throw new ConfigError('yaml: document contains excessive aliasing')
  }

  /** `parents`: the maps that this one is merged into. */
  private entries(map: YAMLMap, parents: readonly YAMLMap[]): Map<string, Node | null> {
    if (parents.includes(map))
      throw new ConfigError(`yaml: an anchor's value contains itself${where(this.document.text)}`)
    if (parents.length > deepestMerge)
      throw new ConfigError(`yaml: merges are nested more than ${deepestMerge} levels deep${where(this.document.text)}`)
    this.spend(map.items.length)
    const values = new Map<string, Node | null>()
    const merged = new Map<string, Node | null>()
    for (const item of map.items) {
      const key = isPair(item) ? this.document.resolve(item.key) : null
      if (!isScalar(key)) continue
      const name = written(key)
      if (name === '<<' && key.type === 'PLAIN') {
        for (const [mergedKey, value] of this.mergedEntries(item.value, [...parents, map])) merged.set(mergedKey, value)
      } else values.set(name, this.document.resolve(item.value))
    }
    return merged.size === 0 ? values : new Map([...merged, ...values])
  }

  /** In a list of maps, the first map that has a key wins. */
  private mergedEntries(node: unknown, parents: readonly YAMLMap[]): Map<string, Node | null> {
    const value = this.document.resolve(node)
    const result = new Map<string, Node | null>()
    const maps = isSeq(value) ? value.items.map((item) => this.document.resolve(item)) : [value]
    for (const map of maps) {
      if (!isMap(map)) {
        const line = map ? this.document.text.offset + this.document.lineOf(map) : undefined
        throw new ConfigError(`yaml: map merge requires map or sequence of maps as the value`, line)
      }
      for (const [key, inner] of this.entries(map, parents)) if (!result.has(key)) result.set(key, inner)
    }
    return result
  }
}

/**
 * The text as written: `1.10` stays `1.10`, with any tag; only `!!binary` is decoded. What no
 * database and no program keeps (NUL, half of a surrogate pair) is replaced, so that a name is the
 * same wherever it is read again.
 */
export const written = (scalar: Scalar): string => rawText(scalar).replaceAll(/[\0\p{Cs}]/gu, '\uFFFD')

const rawText = (scalar: Scalar): string => {
  if (scalar.tag !== binaryTag) return typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? '')
  const text = (scalar.source ?? '').replace(/\s/g, '')
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new ConfigError('yaml: !!binary value contains invalid base64 data')
  return Buffer.from(text, 'base64').toString('utf8')
}
const binaryTag = 'tag:yaml.org,2002:binary'

/** A yaml tag, with the value of a scalar cut to ten characters. */
const describe = (node: Node): string => {
  if (isMap(node)) return '!!map'
  if (isSeq(node)) return '!!seq'
  if (!isScalar(node)) return '!!str'
  const text = written(node)
  return `${tagOf(node, text)} \`${text.length > 10 ? `${text.slice(0, 7)}...` : text}\``
}

const tagOf = (node: Scalar, text: string): string => {
  if (node.type !== 'PLAIN') return '!!str'
  if (truths.test(text) || lies.test(text)) return '!!bool'
  return kindOfNumber(text) ?? '!!str'
}

/** A leading zero means octal, as in YAML 1.1: 017 is 15. */
const numberOf = (text: string): number => (/^[-+]?0[0-7]+$/.test(text) ? parseInt(text, 8) : Number(text))

/** Underscores between digits are ignored. */
const kindOfNumber = (text: string): '!!int' | '!!float' | null => {
  const digits = text.startsWith('_') ? '' : text.replaceAll('_', '')
  if (integer.test(digits)) return '!!int'
  return float.test(digits) ? '!!float' : null
}
