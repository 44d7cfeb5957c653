// The gateway in front of another server: the time for its slowest response, and the delay it adds
// to a fast one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { percentile } from '../lib/stats.mjs'
import { startServer } from '../lib/server.mjs'
import { ask, openStream, times } from './ask.mjs'
import { list, measureThroughput } from './reads.mjs'

const small = '/api/repos/a/b'

/** The fake Drone server, as a separate process. */
async function startDrone(file) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'slow-drone.mjs'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [firstOutput] = await once(child.stdout, 'data')
  const origin = /ready (\S+)/.exec(String(firstOutput))[1]
  return {
    origin,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const as = (origin, number) => ({ origin, cookie: `_session_=bench-${number}` })

/**
 * The median delay that the gateway adds to a call. Direct calls and calls through the gateway
 * alternate.
 */
async function added(direct, through) {
  const [before, after] = [[], []]
  for (let i = 0; i < 420; i++) {
    const [directCall, gatewayCall] = [await ask(direct, small), await ask(through, small)]
    if (i < 20) continue
    before.push(directCall.ms)
    after.push(gatewayCall.ms)
  }
  return percentile(after, 0.95) - percentile(before, 0.5)
}

export const gateway = {
  name: 'gateway',
  size: 'big',
  rows: [
    ['direct', 'list of 10,000 repositories from a simulated Drone: 16 clients without a gateway', 'a second', -1, '8'],
    ['many', '– through the gateway, 16 windows of one person', 'a second', -80, '8'],
    ['ratio', '– by the rate without it', 'times', -10],
    ['people', '– 16 people', 'a second', -80, '8'],
    ['wire', '– on the wire', 'MiB', 1.5, '13.5'],
    ['same', '– not changed since (`ETag`)', 'ms', 3],
    ['added', 'a small call through the gateway: what it takes longer, 95th percentile', 'ms', 2],
  ],
  how: 'a process that responds like Drone 2.25, two lists at a time, 223 ms each, 76 for recent builds, with the list of the large data folder; four seconds each, one after the other in the same run; each person has an open event stream; the small call four hundred times alternating with and without the gateway, the 95th percentile relative to the median without it',
  async prepare({ person, program }) {
    const folder = mkdtempSync(join(tmpdir(), 'flightdeck-bench-gateway-'))
    const file = join(folder, 'list.json')
    const text = await fetch(`${person.origin}${list}`, { headers: { cookie: person.cookie } })
    writeFileSync(file, Buffer.from(await text.arrayBuffer()))
    const drone = await startDrone(file)
    const server = await startServer(program, { data: join(folder, 'data'), server: drone.origin })
    return { folder, drone, server }
  },
  async once(_tools, { drone, server }) {
    const direct = await measureThroughput([as(drone.origin, 0)], 16, 4000)
    const people = Array.from({ length: 16 }, (_, number) => as(server.origin, number))
    const streams = await Promise.all(people.map((person) => openStream(person, '/api/stream', () => undefined)))
    // Requests each response once when it arrives.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const [one] = people
    const many = await measureThroughput([one], 16, 4000)
    const first = await ask(one, list)
    const etag = first.headers.etag
    const same = await times(one, list, 50, { 'if-none-match': etag })
    const all = await measureThroughput(people, 16, 8000)
    const small = await added(as(drone.origin, 0), one)
    for (const stream of streams) stream.close()
    return { direct, many, ratio: many / direct, people: all, wire: first.bytes / 1024 / 1024, same, added: small }
  },
  async finish({ folder, drone, server }) {
    await server.stop()
    await drone.stop()
    rmSync(folder, { recursive: true })
  },
}
