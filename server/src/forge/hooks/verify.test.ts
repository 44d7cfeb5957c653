import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifyHook } from './verify.ts'

const body = new TextEncoder().encode('{"ref":"refs/heads/main"}')
const secret = 'correct horse'
const signature = createHmac('sha256', secret).update(body).digest('hex')
const sha1 = createHmac('sha1', secret).update(body).digest('hex')

const right = {
  gitea: { 'x-gitea-signature': signature },
  forgejo: { 'x-forgejo-signature': signature },
  gogs: { 'x-gogs-signature': signature },
  github: { 'x-hub-signature-256': `sha256=${signature}` },
  gitlab: { 'x-gitlab-token': secret },
} as const
const kinds = ['gitea', 'forgejo', 'gogs', 'github', 'gitlab'] as const

const verify = (kind: (typeof kinds)[number], headers: Record<string, string>, text = body, key: string = secret) =>
  verifyHook(kind, (name) => headers[name], { body: text, payload: text }, key)

describe('the signature of a hook', () => {
  it.each(kinds)('of %s is taken when it is right', (kind) => {
    expect(verify(kind, right[kind])).toBe(true)
  })

  it('of Forgejo may be in the header of Gitea', () => {
    expect(verify('forgejo', { 'x-gitea-signature': signature })).toBe(true)
  })

  it.each(kinds)('of %s is refused with another secret, without one, and for another body', (kind) => {
    expect(verify(kind, right[kind], body, 'other')).toBe(false)
    expect(verify(kind, right[kind], body, '')).toBe(false)
    if (kind !== 'gitlab') expect(verify(kind, right[kind], new Uint8Array([1]))).toBe(false)
  })

  it.each(kinds)('of %s is refused when it is missing, empty, cut or of another forge', (kind) => {
    const own = Object.keys(right[kind])[0] ?? ''
    for (const value of ['', 'x', signature.slice(1), `${signature}0`, `sha1=${sha1}`, sha1, `sha256=${sha1}`, 'ä']) {
      expect(verify(kind, { [own]: value })).toBe(false)
    }
    for (const other of kinds) {
      const isTheSame = other === kind || (kind === 'forgejo' && other === 'gitea')
      expect(verify(kind, right[other])).toBe(isTheSame)
    }
  })

  it('of a form is that of the complete body on GitHub, and of the field’s value elsewhere', () => {
    const form = new TextEncoder().encode(`payload=${encodeURIComponent(new TextDecoder().decode(body))}`)
    const content = { body: form, payload: body }
    const verifyForm = (kind: (typeof kinds)[number], headers: Record<string, string>) =>
      verifyHook(kind, (name) => headers[name], content, secret)
    const whole = createHmac('sha256', secret).update(form).digest('hex')
    expect(verifyForm('github', { 'x-hub-signature-256': `sha256=${whole}` })).toBe(true)
    expect(verifyForm('github', right.github)).toBe(false)
    for (const kind of ['gitea', 'forgejo', 'gogs'] as const) {
      expect(verifyForm(kind, right[kind])).toBe(true)
      expect(verify(kind, right[kind], form)).toBe(false)
    }
  })
})
