/**
 * Splits a pipeline file into its documents by the rules of docs/api §6.1, which differ from the
 * YAML standard.
 */
import { ConfigError } from './doc.ts'

export interface DocumentText {
  /** Whole lines, each with its `\n`. */
  text: string
  /** The number of lines in the file before it. */
  offset: number
}

export const limits = {
  /** Maximum characters of a file. */
  text: 1_000_000,
  documents: 1_000,
  /** Maximum steps of one pipeline. */
  steps: 1_000,
  /**
   * Maximum names in the `depends_on` of all pipelines of a build, and in those of all steps of one
   * pipeline.
   */
  dependencies: 10_000,
  /** Maximum characters of these names: each stage is stored and published with its own. */
  dependencyText: 500_000,
  /** A line of this length silently ends the file (docs/api §6.1). */
  line: 65_536,
} as const

const utf8 = new TextEncoder()
/** Measures only long lines in bytes, since that takes time. */
const tooLong = (line: string): boolean =>
  line.length >= limits.line || (line.length * 3 >= limits.line && utf8.encode(line).length >= limits.line)

/** Whether the rest of the file is ignored because of a line that is too long. */
export const endsEarly = (file: string): boolean => file.split('\n').some(tooLong)

/**
 * `---` at the start of a line separates documents, `...` ends one; the rest of that line is
 * dropped.
 */
export const splitDocuments = (file: string): DocumentText[] => {
  if (file.length > limits.text) throw new ConfigError(`yaml: the file is larger than ${limits.text} characters`)
  const documents: { lines: string[]; offset: number }[] = []
  const lines = file.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const [index, line] of lines.entries()) {
    if (tooLong(line)) break
    const separates = line.startsWith('---')
    if (separates || documents.length === 0) documents.push({ lines: [], offset: separates ? index + 1 : index })
    if (documents.length > limits.documents) {
      throw new ConfigError(`yaml: the file has more than ${limits.documents} documents`)
    }
    if (separates) continue
    if (line.startsWith('...')) break
    documents.at(-1)?.lines.push(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
  return documents.map(({ lines: own, offset }) => ({ text: own.map((line) => `${line}\n`).join(''), offset }))
}
