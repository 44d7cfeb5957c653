/**
 * Wires a running gateway, as `server.ts` does for the embedded server: no flags, no signals, no
 * database.
 */
import { createGatewayApp } from './apps/gateway-app.ts'
import { createGatewayFigures } from './operation/gateway-figures.ts'
import { startLoopMonitor } from './operation/loop-monitor.ts'
import { createViewerServices } from './gateway/viewer-services.ts'
import { createLicence } from './gateway/licence.ts'
import { createVersionCheck } from './gateway/probe.ts'
import { announceServer, findServer } from './gateway/start-report.ts'
import { createUpstream } from './gateway/upstream.ts'
import { lockDataFolder } from './startup/data-folder.ts'
import { listen } from './listener/listener.ts'
import { openSecretsBox } from './lib/secrets-box.ts'
import { endAll, type RunningServer, type ServerOptions } from './server.ts'
import { explainStart } from './startup/start-failure.ts'

export async function startGateway(options: ServerOptions & { server: string }): Promise<RunningServer> {
  const ends: (() => Promise<void> | void)[] = []
  try {
    // Holds only the key that encrypts users' tokens.
    ends.push(lockDataFolder(options.data))
    const listener = await listen(options.host, options.port)
    ends.push(() => listener.close())
    const publicUrl = options.publicUrl ?? listener.url
    const figures = createGatewayFigures()
    const monitor = startLoopMonitor((delayMs) => figures.observeLoop(delayMs))
    ends.push(() => monitor.stop())
    const upstream = createUpstream(options.server, { observe: (call) => figures.observeUpstream(call) })
    ends.push(() => upstream.close())
    const box = openSecretsBox(options.data, options.secretsKey)
    ends.push(() => listener.cut())
    const { serverToken } = options
    const front = createViewerServices(upstream, { serverToken })
    ends.push(() => front.stop())
    const pageScript = createLicence(upstream)
    const isNamed = options.publicUrl !== undefined
    const checkServer = createVersionCheck(upstream)
    const app = createGatewayApp({
      ...options,
      publicUrl,
      isNamed,
      upstream,
      front,
      box,
      pageScript,
      checkServer,
      figures,
      observe: (call) => figures.observe(call),
    })
    listener.serve(app.fetch)
    const find = () => findServer(upstream, { publicUrl, isNamed, serverToken })
    const found = await find()
    if (!found.isReady) ends.push(announceServer(found, find, options.log))
    return {
      publicUrl,
      administrator: null,
      work: found.work,
      problems: [...options.unused.map((name) => `${name} has no effect with --server`), ...found.problems],
      next: [],
      // A gateway runs no builds.
      drain: async () => {},
      stop: () => endAll(ends, options.log),
    }
  } catch (error) {
    await endAll(ends, options.log)
    throw explainStart(error, { database: options.data, folder: options.data })
  }
}
