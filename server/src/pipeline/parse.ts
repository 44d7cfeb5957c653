/** A pipeline file → what it says (wire.md §6.1). */
import type { Node } from 'yaml'
import { readPipeline } from './decode-pipeline.ts'
import { Decoder } from './decode.ts'
import type { Entries } from './decode.ts'
import { ConfigError } from './doc.ts'
import type { InlineSecret, PipelineFile } from './doc.ts'
import { splitDocuments } from './documents.ts'
import { newBudget, readDocument } from './yaml-text.ts'
import type { Budget, YamlDocument } from './yaml-text.ts'

export { ConfigError } from './doc.ts'
export type { InlineSecret, PipelineDoc, PipelineFile, StepDoc } from './doc.ts'

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

const addDocument = (file: PipelineFile, { document, kind }: RawDocument, budget: Budget): void => {
  const decoder = new Decoder(document, budget)
  const entries = readEntries(decoder, 'yaml.Pipeline')
  if (kind === 'signature') file.signature = decoder.text(entries.get('hmac'))
  else if (kind === 'secret') file.secrets.push(readSecret(decoder, entries))
  else if (kind !== 'cron' && kind !== 'registry') file.pipelines.push(readPipeline(decoder, entries, kind))
  decoder.finish()
  if (kind === '') throw new ConfigError('yaml: missing kind attribute')
  if (kind !== 'signature') file.signedText += document.text.text
}

const readKinds = (text: string, budget: Budget): RawDocument[] =>
  splitDocuments(text).map((document) => readKind(readDocument(document, budget), budget))

/** What a signature is over: the raw text of all documents that are none (wire.md §6.6). Throws `ConfigError`. */
export const textToSign = (text: string): string =>
  readKinds(text, newBudget())
    .filter(({ kind }) => kind !== 'signature')
    .map(({ document }) => document.text.text)
    .join('')

/** Throws `ConfigError` with the text of the error build. An empty file has no pipelines and is no error. */
export const parsePipelines = (text: string): PipelineFile => {
  // Templates are known by this line anywhere in the file, before any parsing (wire.md §6.1).
  if (/^kind:[ \t]*template[ \t\r]*$/m.test(text)) {
    throw new ConfigError('template converter: templates are not supported by this server')
  }
  const budget = newBudget()
  const raw = readKinds(text, budget)
  const file: PipelineFile = { pipelines: [], secrets: [], signedText: '' }
  for (const document of raw) addDocument(file, document, budget)
  return file
}
