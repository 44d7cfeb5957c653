/**
 * By which names this server may be called. A page elsewhere can let its own name lead to this machine
 * (DNS rebinding): to the browser both are one site then, and it may read what our network may. Such a call tells that name.
 */
import type { Call } from './context.ts'
import { Refusal } from '../lib/refusal.ts'

/** The name as browsers write it, without port and without the dot at the end of a full name; `null` if it is none. */
export function hostName(host: string): string | null {
  const [, name] = /^(\[[\da-f:.]+\]|[\p{L}\p{N}._-]+)(?::\d{1,5})?$/iu.exec(host) ?? []
  if (name === undefined || !URL.canParse(`http://${name}`)) return null
  return new URL(`http://${name}`).hostname.replace(/\.$/, '')
}

/** An address as it stands in a Host header; those of version 4 may come from a socket of version 6. */
const nameOfAddress = (address: string): string | null => {
  // Without the zone of a link-local address: `fe80::1%eth0`.
  const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1)
  return hostName(plain.includes(':') ? `[${plain}]` : plain)
}

export const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name)

/** The port does not matter: it is not what a foreign name differs in, and forwarding changes it. */
export function createHostCheck(publicUrl: string, listeningOn: string, others: readonly string[]): (c: Call) => void {
  const names = new Set([new URL(publicUrl).host, ...others].map(hostName))
  names.add(nameOfAddress(listeningOn))
  names.delete(null)
  return (c) => {
    const host = c.req.header('host')
    // No browser leaves it out.
    if (host === undefined) return
    const name = hostName(host)
    if (name !== null && (names.has(name) || isLoopback(name))) return
    // Listening everywhere, each address that is really reached is one of ours; a name would have to be told.
    const reached = c.env?.incoming?.socket.localAddress
    if (name !== null && reached !== undefined && name === nameOfAddress(reached)) return
    throw new Refusal(421, 'Unknown host name. Start the server with --public-url or --allow-host for that name')
  }
}
