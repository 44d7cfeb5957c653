/** A running gateway, as `server.ts` wires the embedded server: without flags and signals, and without a database. */
import { createGatewayApp } from './apps/gateway-app.ts'
import { createFront } from './gateway/viewer-services.ts'
import { createLicence } from './gateway/licence.ts'
import { createVersionCheck, probe, signInLeads } from './gateway/probe.ts'
import { isToken } from './gateway/sign-in.ts'
import type { ServerToken } from './gateway/server-token.ts'
import { createUpstream, type Upstream } from './gateway/upstream.ts'
import { takeDataFolder } from './startup/data-folder.ts'
import { listen } from './listener/listener.ts'
import type { Options } from './options/options.ts'
import { openSecretsBox } from './lib/secrets-box.ts'
import { endAll, type RunningServer, type ServerOptions } from './server.ts'
import { explainStart } from './startup/start-failure.ts'

interface Found {
  problems: string[]
  /** What was found, in lines of the start. */
  work: string[]
}

/** The server may be down now and up later, so its state is told and does not end the start. */
async function look(upstream: Upstream, publicUrl: string, options: Options): Promise<Found> {
  const { serverToken, unused, publicUrl: named } = options
  const notes = unused.map((name) => `${name} means nothing in front of another server`)
  const { state, version } = await probe(upstream)
  const work = [`server    ${upstream.origin}${version ? `, version ${version}` : ''}`]
  if (state !== 'ok') return { problems: [...notes, state], work }
  if (serverToken) {
    const problems = [...notes, ...(await tokenNotes(upstream, serverToken))]
    return { problems, work: [...work, 'sign in   nobody: one token of the server signs every request'] }
  }
  const end = await signInLeads(upstream, publicUrl).catch(() => 'here')
  const byToken = `with a token of that server, at ${publicUrl}/login/token`
  const isThere = end === 'here' || (end === 'unsaid' && named !== undefined)
  const signIn = isThere ? `as at that server, or ${byToken}` : byToken
  return {
    problems: [...notes, ...signInNotes(end, publicUrl, named !== undefined)],
    work: [...work, `sign in   ${signIn}`],
  }
}

function signInNotes(end: string, publicUrl: string, isNamed: boolean): string[] {
  if (end === 'here') return []
  if (end === 'unsaid' && isNamed) {
    return [
      `people sign in at the source-control system, which does not say where it sends them back to: if that is not ${publicUrl}, they sign in at ${publicUrl}/login/token`,
    ]
  }
  const why =
    end === 'unsaid'
      ? 'the source-control system sends people back to the name that is registered there'
      : "the server's own sign-in leads to its public name"
  return [`people sign in with a token: ${why}, not to ${publicUrl} (--public-url)`]
}

async function tokenNotes(upstream: Upstream, { token, allowWrites }: ServerToken): Promise<string[]> {
  const known = await isToken(upstream, token).catch(() => true)
  if (!known) return ['the server does not know the token that signs every request']
  const may = allowWrites ? 'reads and changes things' : 'reads'
  return [`whoever reaches this address ${may} as the owner of the server token`]
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
    const { serverToken } = options
    const front = createFront(upstream, { serverToken })
    ends.push(() => front.stop())
    const pageScript = createLicence(upstream)
    const isNamed = options.publicUrl !== undefined
    const checkServer = createVersionCheck(upstream)
    const app = createGatewayApp({ ...options, publicUrl, isNamed, upstream, front, box, pageScript, checkServer })
    listener.serve(app.fetch)
    return {
      publicUrl,
      administrator: null,
      ...(await look(upstream, publicUrl, options)),
      next: [],
      stop: () => endAll(ends, options.log),
    }
  } catch (error) {
    await endAll(ends, options.log)
    throw explainStart(error, { database: options.data, folder: options.data })
  }
}
