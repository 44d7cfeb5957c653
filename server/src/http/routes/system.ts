/** Endpoints about the server itself (docs/api §1.13, §1.14, §2.8, §2.10). */
import { countAll } from '../../store/stats.ts'
import { encode, encodedJson, json, plainText } from '../responses.ts'
import type { Handler, HttpDependencies } from '../context.ts'

/**
 * The fixed list of docs/api §1.13. Its figures stay 0 as in Drone: the queue endpoint has the real
 * ones.
 */
const platforms: readonly (readonly [os: string, arch: string, variant: string, kernel: string])[] = [
  ['linux', 'arm', 'v6', ''],
  ['linux', 'arm', 'v7', ''],
  ['linux', 'arm64', 'v8', ''],
  ['linux', 'arm', 'v9', ''],
  ['linux', 'amd64', '', ''],
  ['windows', 'arm64', '', '1709'],
  ['windows', 'arm64', '', '1803'],
  ['windows', 'arm64', '', '1809'],
]
const pipelines = platforms.map(([os, arch, variant, kernel]) => ({
  subscribers: 0,
  os,
  arch,
  variant,
  kernel,
  pending: 0,
  running: 0,
}))

/** Flightdeck has no licence; the shape is what clients expect. */
const varz = (publicUrl: string) => ({
  scm: { url: publicUrl, rate: { limit: 0, remaining: 0, reset: 0 } },
  license: { kind: 'free', seats: 0, repos: 0, expire_at: '0001-01-01T00:00:00Z' },
})

/** Its schemas are loaded with the first request, so that a start does not wait for them. */
const readDocument = async (version: string): Promise<string> => {
  const { openApi } = await import('../openapi.ts')
  return encode(await openApi(version))
}

export function systemRoutes({ store: { db }, ci, version, publicUrl, health }: Required<HttpDependencies>) {
  let document: Promise<string> | undefined
  return {
    'ALL /healthz': () => plainText('OK'),
    'ALL /readyz': async (c) => {
      const report = await health.report(c.req.queries('exclude')?.flatMap((names) => names.split(',')))
      return json(report, report.state === 'ok' ? 200 : 503)
    },
    'GET /api/openapi.json': async () => {
      document ??= readDocument(version)
      return encodedJson(await document)
    },
    'GET /version': () => json({ version }),
    'GET /varz': () => json(varz(publicUrl)),
    'GET /api/system/stats': async () => {
      const { users, repos, builds } = await countAll(db)
      return json({
        users: { total: users },
        repos: { active: repos.active },
        builds: { pending: builds.pending, running: builds.running, total: builds.total },
        pipelines,
        events: { subscribers: ci.events.subscribers() },
        streams: ci.logs.readers(),
        watchers: null,
      })
    },
  } satisfies Record<string, Handler>
}
