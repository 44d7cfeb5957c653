import { createDecipheriv } from 'node:crypto'
import { maxStageSecretBytes, secretSizeError } from '@flightdeck/api'
import type { MaskedSecret } from '../pipeline/mask.ts'
import type { InlineSecret } from '../pipeline/parse.ts'
import type { StageContext } from '../interfaces/runner.ts'

const nonceLength = 12
const tagLength = 16

/**
 * All secrets of a stage; those of the repository and its organization come first (docs/api §6.5).
 * Throws if one of them, or all together, exceed the masker's limit, because a step must not run if
 * its secrets could be shown.
 */
export function stageSecrets(context: StageContext, inline: readonly InlineSecret[]): MaskedSecret[] {
  const secrets: MaskedSecret[] = context.secrets.map(({ name, data }) => ({ name, data }))
  for (const { name, data } of inline) {
    const value = data && decrypt(data, context.repoSecret)
    if (value) secrets.push({ name, data: value })
  }
  checkSizes(secrets)
  return secrets
}

function checkSizes(secrets: readonly MaskedSecret[]): void {
  let bytes = 0
  for (const { name, data } of secrets) {
    const error = secretSizeError(data)
    if (error) throw new Error(`secret "${name}": ${error}`)
    bytes += Buffer.byteLength(data)
  }
  if (bytes > maxStageSecretBytes)
    throw new Error(
      `the secrets of this pipeline have ${bytes} bytes in total; at most ${maxStageSecretBytes} can be masked in a log`,
    )
}

function decrypt(data: string, key: string): string | null {
  try {
    const bytes = Buffer.from(data, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    decipher.setAuthTag(bytes.subarray(-tagLength))
    const text = [decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]
    return Buffer.concat(text).toString('utf8')
  } catch {
    // The secret was encrypted for another repository, or is truncated: treat it as missing.
    return null
  }
}

export type FindSecret = (name: string) => string

/** Finds the first secret with a name, ignoring case; a missing secret is empty. */
export const secretFinder = (secrets: readonly MaskedSecret[]): FindSecret => {
  const values = new Map<string, string>()
  for (const { name, data } of secrets) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, data)
  }
  return (name) => values.get(name.toLowerCase()) ?? ''
}
