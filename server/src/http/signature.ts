/** The signature of a pipeline file (wire.md §6.6). */
import { createHmac } from 'node:crypto'
import { parseDocument } from 'yaml'
import { splitDocuments } from '../pipeline/documents.ts'
import { HttpError } from './errors.ts'

const kindOf = (text: string): unknown => {
  const document = parseDocument(text)
  const [fault] = document.errors
  if (fault) throw new HttpError(500, `yaml: unmarshal errors: ${fault.message.split('\n')[0] ?? ''}`)
  return document.get('kind')
}

/** Over the raw text of all documents that are no signature, in hexadecimal digits. */
export function signatureOf(file: string, key: string): string {
  const hmac = createHmac('sha256', key)
  for (const { text } of splitDocuments(file)) if (kindOf(text) !== 'signature') hmac.update(text)
  return hmac.digest('hex')
}
