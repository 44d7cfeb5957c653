// A client that does not decompress responses: measures the bytes on the wire and the duration.
import { Agent, get } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Reads a response to its end without decompressing it. */
export function ask({ origin, cookie }, path, headers = {}) {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const options = { agent, headers: { cookie, 'accept-encoding': 'gzip, br', ...headers } }
    get(`${origin}${path}`, options, (answer) => {
      let bytes = 0
      answer.on('data', (chunk) => (bytes += chunk.length))
      answer.on('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, bytes, ms: performance.now() - began }),
      )
      answer.on('error', reject)
    }).on('error', reject)
  })
}

/** The median of many calls, after some that are not counted. */
export async function times(person, path, count = 50, headers = {}) {
  const all = []
  for (let i = 0; i < count + 5; i++) {
    const { ms, status } = await ask(person, path, headers)
    if (status >= 400) throw new Error(`${path}: ${status}`)
    if (i >= 5) all.push(ms)
  }
  return all.toSorted((a, b) => a - b)[all.length >> 1]
}

/** Opens an event stream; `onText` receives each chunk. */
export const openStream = ({ origin, cookie }, path, onText) =>
  new Promise((resolve, reject) => {
    const request = get(`${origin}${path}`, { agent: false, headers: { cookie } }, (answer) => {
      answer.setEncoding('utf8')
      answer.on('data', onText)
      answer.on('error', () => undefined)
      resolve({ close: () => request.destroy(), ended: new Promise((end) => answer.on('close', end)) })
    })
    request.on('error', reject)
  })
