/**
 * Reads a repository or namespace secret from a request (docs/api §2.5, §2.7). Values are encrypted
 * here.
 */
import { secretSizeError } from '@flightdeck/api'
import type { SecretsBox } from '../lib/secrets-box.ts'
import type { NewSecret, SecretChanges } from '../store/secrets.ts'
import { decodeBody } from './bodies.ts'
import { userOf, type Call } from './context.ts'
import { Refusal } from '../lib/refusal.ts'

interface Reader {
  box: SecretsBox
  /** Unix seconds. */
  now: () => number
}

const fields = { name: 'string', data: 'string', pull_request: 'bool', pull_request_push: 'bool' } as const

/**
 * URL parsers resolve `.` and `..` (docs/api §0), so a secret with such a name could never be
 * deleted.
 */
const checkName = (name: string): void => {
  if (!/^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,500}$/.test(name)) throw new Refusal(400, 'Invalid Secret Name')
}
const checkValue = (value: string): void => {
  if (value === '') throw new Refusal(400, 'Invalid Secret Value')
  const error = secretSizeError(value)
  if (error) throw new Refusal(400, error)
}

/** The time and the login of a change. */
const written = (c: Call, now: () => number) => ({ updated: now(), updated_by: userOf(c).login })

export async function readNewSecret(c: Call, { box, now }: Reader): Promise<NewSecret> {
  const { name = '', data = '', ...flags } = await decodeBody(c, 'secretInput', fields)
  checkName(name)
  checkValue(data)
  return { name, data: box.encrypt(data), ...flags, ...written(c, now) }
}

/** The name cannot be changed, so it is ignored. */
export async function readSecretChanges(c: Call, { box, now }: Reader): Promise<SecretChanges> {
  const { name: _, data, ...flags } = await decodeBody(c, 'secretUpdate', fields)
  const changes = { ...flags, ...written(c, now) }
  if (data === undefined) return changes
  checkValue(data)
  return { ...changes, data: box.encrypt(data) }
}
