/** A running gateway, as `server.ts` wires the embedded server: without flags and signals, and without a database. */
import { createGatewayApp } from './gateway-app.ts'
import { probe, signsInHere } from './gateway/probe.ts'
import { createUpstream } from './gateway/upstream.ts'
import { createWatch } from './gateway/watch.ts'
import { takeDataFolder } from './data-folder.ts'
import { listen } from './listener.ts'
import { openSecretsBox } from './secrets-box.ts'
import { endAll, type RunningServer, type ServerOptions } from './server.ts'
import { explainStart } from './start-failure.ts'

/** The server may be down now and up later, so its state is told and does not end the start. */
async function notesOf(upstream: ReturnType<typeof createUpstream>, publicUrl: string): Promise<string[]> {
  const { state } = await probe(upstream)
  if (state !== 'ok') return [state]
  const here = await signsInHere(upstream, publicUrl).catch(() => true)
  if (here) return []
  return [
    `people sign in with a token: the server's own sign-in leads to its public name, not to ${publicUrl} (--public-url)`,
  ]
}

export async function startGateway(options: ServerOptions & { server: string }): Promise<RunningServer> {
  const ends: (() => Promise<void> | void)[] = []
  try {
    // For the key that people's tokens are encrypted with, and nothing else.
    ends.push(takeDataFolder(options.data))
    const listener = await listen(options.host, options.port)
    ends.push(() => listener.close())
    const publicUrl = options.publicUrl ?? listener.url
    const upstream = createUpstream(options.server)
    ends.push(() => upstream.close())
    const box = openSecretsBox(options.data, options.secretsKey)
    ends.push(() => listener.cut())
    const watch = createWatch(upstream)
    ends.push(() => watch.stop())
    const app = createGatewayApp({ ...options, publicUrl, upstream, watch, box })
    listener.serve(app.fetch)
    return {
      publicUrl,
      administrator: null,
      problems: await notesOf(upstream, publicUrl),
      work: [`server    ${upstream.origin}`],
      next: [],
      stop: () => endAll(ends, options.log),
    }
  } catch (error) {
    await endAll(ends, options.log)
    throw explainStart(error, { database: options.data, folder: options.data })
  }
}
