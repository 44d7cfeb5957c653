/** A stage's settings other than its commands, as text for the person who approves it. */
import { isMap, isScalar, isSeq } from 'yaml'
import type { Node } from 'yaml'
import { readStep } from './decode-step.ts'
import { Decoder, written, type Entries } from './decode.ts'
import type { StepDoc } from './doc.ts'
import { dockerOnlyKeys } from './docker-only.ts'
import { isPipeline, readKinds } from './parse.ts'
import { newBudget } from './yaml-text.ts'

export interface StageSettings {
  /** YAML; `''` if there are none. */
  text: string
  /** One text per step, in step order. */
  steps: readonly string[]
  services: readonly { doc: StepDoc; text: string }[]
}

/** Maximum characters of one text. */
const maxTextChars = 20_000
const maxDepth = 20

/** Keys that are shown elsewhere or do not affect the run. */
const shownOfStage = [
  'kind',
  'type',
  'name',
  'steps',
  'services',
  'environment',
  'trigger',
  'depends_on',
  'concurrency',
]
const shownOfStep = ['name', 'image', 'commands', 'environment', 'when', 'depends_on']

const plain = /^[\p{L}\p{N}_./@%$][\p{L}\p{N} _./:@%$=,+~-]*$/u

/** One line, quoted if its end or type would be ambiguous. */
const scalarText = (text: string): string => (plain.test(text) && !/: | $|:$/.test(text) ? text : JSON.stringify(text))

const isShort = (node: Node | null): boolean =>
  node === null || isScalar(node) || ((isSeq(node) || isMap(node)) && node.items.length === 0)

/** The text of an empty list or map, or of one that is nested too deep to show. */
const emptyText = (node: Node): string => {
  if ((isSeq(node) || isMap(node)) && node.items.length > 0) return '…'
  return isSeq(node) ? '[]' : '{}'
}

class Printer {
  private readonly lines: string[] = []
  private left = maxTextChars
  private readonly decoder: Decoder

  constructor(decoder: Decoder) {
    this.decoder = decoder
  }

  text(): string {
    return this.lines.join('\n')
  }

  entries(entries: Entries, omitted: ReadonlySet<string>, indent: string): void {
    for (const [key, value] of entries) if (!omitted.has(key)) this.value(`${indent}${scalarText(key)}:`, value, indent)
  }

  /**
   * `start`: the text before the value on its line; nested lines are indented by more than
   * `indent`.
   */
  private value(start: string, node: Node | null, indent: string): void {
    if (this.left <= 0) return
    const value = this.decoder.present(node)
    if (isShort(value) || indent.length > 2 * maxDepth) {
      const text = value === null ? '' : isScalar(value) ? scalarText(written(value)) : emptyText(value)
      return this.add(text === '' ? start : `${start} ${text}`)
    }
    // Inside a list, the first line of a nested map or list follows the `-`, as usual in YAML.
    const isItem = start.trimStart().endsWith('-')
    let before = `${start} `
    if (!isItem) this.add(start)
    const next = () => {
      const line = isItem ? before : `${indent}  `
      before = `${indent}  `
      return line
    }
    if (isMap(value))
      for (const [key, item] of this.decoder.struct(value, '') ?? new Map<string, Node | null>())
        this.value(`${next()}${scalarText(key)}:`, item, `${indent}  `)
    else for (const item of this.decoder.list(value, '')) this.value(`${next()}-`, item, `${indent}  `)
  }

  private add(line: string): void {
    const taken = line.slice(0, Math.max(0, this.left))
    this.left -= line.length + 1
    this.lines.push(this.left < 0 ? `${taken}…` : taken)
  }
}

const textOf = (decoder: Decoder, entries: Entries | null, omitted: readonly string[]): string => {
  const printer = new Printer(decoder)
  printer.entries(entries ?? new Map(), new Set(omitted), '')
  return printer.text()
}

/**
 * The settings of each pipeline of a file that parses, in file order. Exec pipelines omit settings
 * that only docker pipelines use.
 */
export const readSettings = (text: string): StageSettings[] => {
  const budget = newBudget()
  return readKinds(text, budget)
    .filter(({ kind }) => isPipeline(kind))
    .map(({ document }) => {
      const decoder = new Decoder(document, budget)
      const entries = decoder.struct(document.root, '') ?? new Map<string, Node | null>()
      const isExec = decoder.text(entries.get('type')) === 'exec'
      const ofStage = isExec ? [...shownOfStage, ...dockerOnlyKeys.pipeline] : shownOfStage
      const ofStep = isExec ? [...shownOfStep, ...dockerOnlyKeys.step] : shownOfStep
      const stepText = (item: Node | null) => textOf(decoder, decoder.struct(item, ''), ofStep)
      return {
        text: textOf(decoder, entries, ofStage),
        steps: decoder.list(entries.get('steps'), '').map(stepText),
        services: isExec
          ? []
          : decoder
              .list(entries.get('services'), '')
              .map((item) => ({ doc: readStep(decoder, item), text: stepText(item) })),
      }
    })
}
