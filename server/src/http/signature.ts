/** The signature of a pipeline file (wire.md §6.6). */
import { createHmac } from 'node:crypto'
import { ConfigError, textToSign } from '../pipeline/parse.ts'
import { HttpError } from './errors.ts'

/** In hexadecimal digits; what is no pipeline file is refused in the words of wire.md §2.3. */
export function signatureOf(file: string, key: string): string {
  try {
    return createHmac('sha256', key).update(textToSign(file)).digest('hex')
  } catch (error) {
    throw error instanceof ConfigError ? new HttpError(500, error.message) : error
  }
}
