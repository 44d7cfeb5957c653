/** What is asked from outside `/api` (wire.md §2.10). */
import type { Hono } from 'hono'
import { json, plainText } from './answers.ts'
import type { AppEnv, HttpDependencies } from './context.ts'

/** Flightdeck has no licence; the shape is what clients expect (wire.md §1.14). */
const varz = (publicUrl: string) => ({
  scm: { url: publicUrl, rate: { limit: 0, remaining: 0, reset: 0 } },
  license: { kind: 'free', seats: 0, repos: 0, expire_at: '0001-01-01T00:00:00Z' },
})

export function addSystem(app: Hono<AppEnv>, { version, publicUrl }: HttpDependencies): void {
  app.all('/healthz', () => plainText('OK'))
  app.get('/version', () => json({ version }))
  app.get('/varz', () => json(varz(publicUrl)))
}
