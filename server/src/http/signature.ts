/** The signature of a pipeline file (docs/api §6.6). */
import type { Repo } from '@flightdeck/api'
import type { Ci } from '../interfaces/ci.ts'
import { ConfigError } from '../pipeline/doc.ts'
import { Refusal } from '../lib/refusal.ts'

/**
 * In hexadecimal digits; a text that is not a pipeline file is refused with the message of docs/api
 * §2.3.
 */
export async function signatureOf(ci: Pick<Ci, 'sign'>, repo: Repo, file: string, key: string): Promise<string> {
  try {
    return await ci.sign(repo, file, key)
  } catch (error) {
    throw error instanceof ConfigError ? new Refusal(500, error.message) : error
  }
}
