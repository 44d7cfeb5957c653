/** Verifies that a hook's sender knows the repository's secret. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ForgeKind, HookContent, HookHeaders } from '../driver.ts'
import { firstHeader } from './facts.ts'

const signatureHeaders: Record<Exclude<ForgeKind, 'gitlab'>, readonly string[]> = {
  gitea: ['x-gitea-signature'],
  forgejo: ['x-forgejo-signature', 'x-gitea-signature'],
  gogs: ['x-gogs-signature'],
  // The old SHA-1 signature is not taken: GitHub sends both.
  github: ['x-hub-signature-256'],
}

const hmac = (secret: string, text: Uint8Array | string): Buffer => createHmac('sha256', secret).update(text).digest()

/**
 * Verifies a hook in constant time: an HMAC-SHA256 of the body, or on GitLab the secret as a token.
 * A secret in the URL or in the body is ignored, and so is a header of another forge.
 */
export function verifyHook(kind: ForgeKind, headers: HookHeaders, content: HookContent, secret: string): boolean {
  if (!secret) return false
  if (kind === 'gitlab') {
    const token = headers('x-gitlab-token') ?? ''
    // Hashed to equal length, so that timing reveals nothing.
    return timingSafeEqual(hmac(secret, token), hmac(secret, secret))
  }
  const header = firstHeader(headers, signatureHeaders[kind])
  const hex = kind === 'github' ? /^sha256=([0-9a-f]{64})$/i.exec(header)?.[1] : /^[0-9a-f]{64}$/i.exec(header)?.[0]
  if (!hex) return false
  // Of a form GitHub signs the whole body, the others what it holds.
  const signed = kind === 'github' ? content.body : content.payload
  return timingSafeEqual(Buffer.from(hex, 'hex'), hmac(secret, signed))
}
