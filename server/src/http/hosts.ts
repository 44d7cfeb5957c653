/**
 * The host names under which this server can be called. A hostile page can point its own name at
 * this machine (DNS rebinding): the browser then treats both as one site, and the page can read
 * whatever our network can. Such a request carries that name.
 */
import type { Call } from './context.ts'
import { Refusal } from '../lib/refusal.ts'

/**
 * The name as browsers write it, without port and without the dot at the end of a full name; `null`
 * if it is none.
 */
export function hostName(host: string): string | null {
  const [, name] = /^(\[[\da-f:.]+\]|[\p{L}\p{N}._-]+)(?::\d{1,5})?$/iu.exec(host) ?? []
  if (name === undefined || !URL.canParse(`http://${name}`)) return null
  return new URL(`http://${name}`).hostname.replace(/\.$/, '')
}

/** An address as in a Host header; IPv4 addresses may come from an IPv6 socket. */
const nameOfAddress = (address: string): string | null => {
  // Without the zone of a link-local address: `fe80::1%eth0`.
  const [plain = ''] = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1)
  return hostName(plain.includes(':') ? `[${plain}]` : plain)
}

export const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name)

/**
 * The port does not matter: it is not what a foreign name differs in, and forwarding changes it.
 */
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
    // When listening on all interfaces, the address of the connection is allowed; names must be
    // configured.
    const reached = c.env?.incoming?.socket.localAddress
    if (name !== null && reached !== undefined && name === nameOfAddress(reached)) return
    throw new Refusal(421, 'Unknown host name. Start the server with --public-url or --allow-host for that name')
  }
}
