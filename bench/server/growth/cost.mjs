// The processor time of a call on the server, which other work on the machine hardly affects.
import { get, request } from 'node:http'
import { ask } from '../ask.mjs'
import { cpuMs } from '../process.mjs'

/** The kernel counts in steps of 10 ms, so this total has an error of 4 %. */
const enoughMs = 250
const maxCalls = 400

/**
 * The mean milliseconds of `work` in many calls. The first ones are not counted: code that runs for
 * the first time is several times slower.
 */
export async function costOf(pid, work, { warm = 100, most = maxCalls } = {}) {
  const cold = cpuMs(pid)
  for (let i = 0; i < warm && cpuMs(pid) - cold < enoughMs; i++) await work()
  const before = cpuMs(pid)
  let calls = 0
  for (; calls < most && cpuMs(pid) - before < enoughMs; calls++) await work()
  return (cpuMs(pid) - before) / calls
}

/** The cost of a GET and the bytes of its response, compressed as for a browser. */
export async function costOfGet(person, pid, path) {
  const first = await ask(person, path)
  if (first.status !== 200) throw new Error(`${path}: ${first.status}`)
  const ms = await costOf(pid, () => ask(person, path))
  return { ms, bytes: first.bytes }
}

/** Reads the first bytes of a compressed response, then closes the connection. */
export const firstBytes = ({ origin, cookie }, path) =>
  new Promise((resolve, reject) => {
    get(`${origin}${path}`, { agent: false, headers: { cookie, 'accept-encoding': 'gzip' } }, (answer) => {
      answer.once('data', (bytes) => {
        answer.destroy()
        resolve(bytes.length)
      })
      answer.on('error', () => {})
    }).on('error', reject)
  })

export const send = ({ origin, cookie }, method, path) =>
  new Promise((resolve, reject) => {
    request(`${origin}${path}`, { method, headers: { cookie, origin } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece) => (text += piece))
      answer.on('end', () =>
        answer.statusCode < 300
          ? resolve(text && JSON.parse(text))
          : reject(new Error(`${path}: ${answer.statusCode} ${text}`)),
      )
    })
      .on('error', reject)
      .end()
  })

/** Creates a build that waits for a runner that doesn't exist, and cancels it. */
export async function postAndCancel(person, query = '') {
  const { number } = await send(person, 'POST', `/api/repos/bench/live/builds${query}`)
  await send(person, 'DELETE', `/api/repos/bench/live/builds/${number}`)
}
