/** Signing a pipeline file and encrypting a value for it (docs/api §2.3, §6.6). */
import { createCipheriv, randomBytes } from 'node:crypto'
import { secretSizeError, type Repo } from '@flightdeck/api'
import { findRepoInternals } from '../../store/repos.ts'
import { json } from '../responses.ts'
import { decodeBody } from '../bodies.ts'
import { repoOf, type Handler, type HttpDependencies } from '../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { signatureOf } from '../signature.ts'

export function sealingRoutes({ store: { db }, ci }: HttpDependencies) {
  /** 32 characters, made when the repository is enabled for the first time. */
  async function secretOf(repo: Repo): Promise<string> {
    const secret = (await findRepoInternals(db, repo.id))?.secret ?? ''
    if (Buffer.byteLength(secret) !== 32) throw new Refusal(500, 'signer: key must be 32-bytes')
    return secret
  }
  const encrypt: Handler = async (c) => {
    const { data } = await decodeBody(c, 'Secret', { data: 'string' })
    const error = secretSizeError(data ?? '')
    if (error) throw new Refusal(400, error)
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', await secretOf(repoOf(c)), nonce)
    const sealed = [nonce, cipher.update(data ?? '', 'utf8'), cipher.final(), cipher.getAuthTag()]
    return json({ data: Buffer.concat(sealed).toString('base64') })
  }
  return {
    'POST /api/repos/:owner/:name/sign': async (c) => {
      const { data } = await decodeBody(c, 'payload', { data: 'string' })
      return json({ data: await signatureOf(ci, repoOf(c), data ?? '', await secretOf(repoOf(c))) })
    },
    'POST /api/repos/:owner/:name/encrypt': encrypt,
    'POST /api/repos/:owner/:name/encrypt/secret': encrypt,
  } satisfies Record<string, Handler>
}
