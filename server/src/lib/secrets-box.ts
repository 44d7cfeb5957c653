/**
 * Encrypts values that must be readable later (secrets, API tokens) with AES-256-GCM. The key is a
 * file of mode 0600 in the data folder or comes from the environment, so a copy of the database
 * alone does not reveal them.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../lib/start-error.ts'

export interface SecretsBox {
  encrypt(text: string): string
  /** Throws when the text was changed, or encrypted with another key. */
  decrypt(sealed: string): string
  /** Deterministic, and impossible to compute without the key. */
  derive(text: string): string
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

export function makeSecretsBox(key: Buffer): SecretsBox {
  if (key.length !== keyBytes) throw new Error(`the key must be ${keyBytes} bytes`)
  // Not the key itself: what is derived leaves the server.
  const derivation = createHmac('sha256', key).update('flightdeck: derive').digest()
  return {
    derive: (text) => createHmac('sha256', derivation).update(text).digest('base64url'),
    encrypt(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return sealed.toString('base64')
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      cipher.setAuthTag(bytes.subarray(-tagBytes))
      const text = [cipher.update(bytes.subarray(nonceBytes, -tagBytes)), cipher.final()]
      return Buffer.concat(text).toString('utf8')
    },
  }
}

/** All or nothing: half a key would keep every later start from finding one. */
function makeKey(file: string): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, `${randomBytes(keyBytes).toString('hex')}\n`)
    fsyncSync(handle)
  } catch (error) {
    unlinkSync(file)
    throw error
  } finally {
    closeSync(handle)
  }
}

/**
 * Opens the box of a data folder with the given key, or with the key file, which the first start
 * creates.
 */
export function openSecretsBox(folder: string, given?: Buffer): SecretsBox {
  if (given) return makeSecretsBox(given)
  const file = join(folder, 'secrets-key')
  try {
    makeKey(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (key.length !== keyBytes)
    throw new StartError(`${file} is damaged: it must hold ${keyBytes * 2} hexadecimal digits`)
  return makeSecretsBox(key)
}
