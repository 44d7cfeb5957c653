/** Parses a pipeline file (docs/api §6.1). */
import type { Node } from 'yaml'
import { readPipeline } from './decode-pipeline.ts'
import { Decoder } from './decode.ts'
import type { Entries } from './decode.ts'
import { ConfigError } from './doc.ts'
import type { InlineSecret, PipelineFile, FilePosition } from './doc.ts'
import { endsEarly, splitDocuments } from './documents.ts'
import { newBudget, readDocument } from './yaml-text.ts'
import type { Budget, YamlDocument } from './yaml-text.ts'

export { ConfigError } from './doc.ts'
export type { InlineSecret, PipelineFile } from './doc.ts'

const oldFormat =
  'yaml: the Drone 0.8 format is not supported; each document must start with `kind: pipeline` and has `steps:`'

interface RawDocument {
  document: YamlDocument
  kind: string
}

const readEntries = (decoder: Decoder, type: string): Entries =>
  decoder.struct(decoder.document.root, type) ?? new Map<string, Node | null>()

const readKind = (document: YamlDocument, budget: Budget): RawDocument => {
  const decoder = new Decoder(document, budget)
  const entries = readEntries(decoder, 'yaml.RawResource')
  for (const key of ['version', 'type']) decoder.text(entries.get(key))
  const kind = decoder.text(entries.get('kind'))
  decoder.finish()
  return { document, kind }
}

const readSecret = (decoder: Decoder, entries: Entries): InlineSecret => {
  const get = decoder.struct(entries.get('get'), 'yaml.SecretGet')
  const secret = { name: decoder.text(entries.get('name')), data: decoder.text(entries.get('data')) }
  return get ? { ...secret, get: { path: decoder.text(get.get('path')), name: decoder.text(get.get('name')) } } : secret
}

const notPipelines = new Set(['signature', 'secret', 'cron', 'registry'])
/** Documents of this kind become stages. */
export const isPipeline = (kind: string): boolean => !notPipelines.has(kind)

const addDocument = (file: PipelineFile, { document, kind }: RawDocument, budget: Budget): void => {
  const decoder = new Decoder(document, budget)
  const entries = readEntries(decoder, 'yaml.Pipeline')
  if (kind === 'signature') file.signature = decoder.text(entries.get('hmac'))
  else if (kind === 'secret') file.secrets.push(readSecret(decoder, entries))
  else if (isPipeline(kind)) file.pipelines.push(readPipeline(decoder, entries, kind))
  decoder.finish()
  if (kind === '') throw new ConfigError('yaml: missing kind attribute', document.text.offset + 1)
  if (kind !== 'signature') file.signedText += document.text.text
}

/**
 * Whether substitution could turn unsigned text into something that runs. The file is parsed again
 * after its variables are substituted, so a signature document could become a pipeline, and a line
 * that was too long a shorter one.
 */
const isSignable = (text: string, documents: readonly RawDocument[]): boolean =>
  !endsEarly(text) && documents.every(({ document, kind }) => kind !== 'signature' || !/[$\\]/.test(document.text.text))

/** The documents of a file with their kinds. Throws `ConfigError`. */
export const readKinds = (text: string, budget: Budget): RawDocument[] =>
  splitDocuments(text).map((document) => readKind(readDocument(document, budget), budget))

/**
 * The signed text: the raw text of all documents except signatures (docs/api §6.6). Throws
 * `ConfigError`.
 */
export const textToSign = (text: string): string =>
  readKinds(text, newBudget())
    .filter(({ kind }) => kind !== 'signature')
    .map(({ document }) => document.text.text)
    .join('')

/** From 1. */
const lineOfMatch = (text: string, pattern: RegExp): number | undefined => {
  const { index } = pattern.exec(text) ?? {}
  return index === undefined ? undefined : text.slice(0, index).split('\n').length
}

/** Conflict markers of an unresolved merge. The parser's own error would not mention them. */
const conflictIn = (text: string): ConfigError | null => {
  const line = text.split('\n').findIndex((each) => /^(?:<{7}|>{7}) /.test(each))
  return line < 0 ? null : new ConfigError(`yaml: line ${line + 1} of the file: there is an unresolved merge conflict`)
}

/**
 * Throws `ConfigError` with the text of the error build. An empty file has no pipelines and is no
 * error.
 */
export const parsePipelines = (text: string): PipelineFile => {
  // This line anywhere in the file marks a template; it is checked before parsing (docs/api §6.1).
  const template = lineOfMatch(text, /^kind:[ \t]*template[ \t\r]*$/m)
  if (template !== undefined) {
    throw new ConfigError('template converter: templates are not supported by this server', template)
  }
  // Drone recognizes the format by this line, too (docs/api §6.1).
  const old = lineOfMatch(text, /^pipeline:[ \t\r]*$/m)
  if (old !== undefined) throw new ConfigError(oldFormat, old)
  const budget = newBudget()
  const file: PipelineFile = { pipelines: [], secrets: [], signedText: '' }
  try {
    const documents = readKinds(text, budget)
    for (const document of documents) addDocument(file, document, budget)
    if (!isSignable(text, documents)) delete file.signature
  } catch (error) {
    throw conflictIn(text) ?? error
  }
  return file
}

/** The nearest node in the file at that path; the value of an alias is where its anchor is. */
const nodeAt = (decoder: Decoder, path: FilePosition['path']): Node | null => {
  let node = decoder.present(decoder.document.root)
  for (const key of path) {
    const next: Node | null | undefined =
      typeof key === 'number' ? decoder.list(node, '')[key] : decoder.struct(node, '')?.get(key)
    const value = decoder.document.resolve(next)
    if (!value) break
    node = value
  }
  return node
}

/** The one-based line of a position in a file that parses. */
export const lineOfPosition = (text: string, { pipeline, path }: FilePosition): number | undefined => {
  const budget = newBudget()
  const found = readKinds(text, budget).filter(({ kind }) => isPipeline(kind))[pipeline]
  const node = found && nodeAt(new Decoder(found.document, budget), path)
  return node ? found.document.text.offset + found.document.lineOf(node) : undefined
}
