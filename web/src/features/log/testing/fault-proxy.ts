/**
 * A proxy between a log's client and the server. It drops, repeats, reorders and delays messages of
 * event streams and cuts connections, all from a seed.
 */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { random } from './random.ts'

export interface Faults {
  seed: number
  /** Shares of the messages, from 0 to 1. */
  drop: number
  repeat: number
  reorder: number
  delay: number
  /** The probability per message that the connection is cut after it. */
  cut: number
}

/** The rate of each fault, 1–20 %, derived from the seed. */
export const faultsOf = (seed: number): Faults => {
  const next = random(seed)
  const share = () => 0.01 + next() * 0.19
  return { seed, drop: share(), repeat: share(), reorder: share(), delay: share(), cut: 0.005 + next() * 0.05 }
}

export class FaultProxy {
  readonly #upstream: string
  readonly #headers: Record<string, string>
  readonly #faults: Faults
  readonly #next: () => number
  readonly #server: Server
  /** The number of faults by kind. */
  readonly made = { drop: 0, repeat: 0, reorder: 0, delay: 0, cut: 0 }
  /** Later connections have fewer faults, because a stream that is always cut never ends. */
  #connections = 0

  constructor(upstream: string, headers: Record<string, string>, faults: Faults) {
    this.#upstream = upstream
    this.#headers = headers
    this.#faults = faults
    this.#next = random(faults.seed ^ 0x5eed)
    this.#server = createServer((incoming, response) => this.#pass(incoming, response))
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    const outgoing = request(`${this.#upstream}${incoming.url}`, { headers: this.#headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      if (incoming.url?.startsWith('/api/stream/')) this.#spoil(answer, response)
      else this.#passSaved(answer, response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    outgoing.end()
  }

  #savedCuts = 0

  /** Truncates one of four saved logs, at most twice. */
  #passSaved(answer: IncomingMessage, response: ServerResponse): void {
    if (answer.statusCode !== 200 || this.#savedCuts >= 2 || this.#next() > 0.25) {
      answer.pipe(response)
      return
    }
    answer.once('data', (chunk: Buffer) => {
      this.#savedCuts++
      response.write(chunk.subarray(0, chunk.length >> 1), () => response.destroy())
    })
  }

  #spoil(answer: IncomingMessage, response: ServerResponse): void {
    const lenient = ++this.#connections > 20
    const delayed: { frame: string; after: number }[] = []
    let text = ''
    const write = (frame: string) => {
      if (response.destroyed || response.writableEnded) return
      response.write(`${frame}\n\n`)
    }
    const release = (all: boolean) => {
      for (const frame of delayed) frame.after--
      for (let i = 0; i < delayed.length; i++) {
        const frame = delayed[i]
        if (!frame || (frame.after > 0 && !all)) continue
        delayed.splice(i--, 1)
        write(frame.frame)
      }
    }
    const chance = (fault: keyof typeof this.made, share: number): boolean => {
      if (this.#next() >= share) return false
      this.made[fault]++
      return true
    }
    answer.setEncoding('utf8')
    answer.on('data', (chunk: string) => {
      text += chunk
      const frames = text.split(/\n\n+/)
      text = frames.pop() ?? ''
      for (const frame of frames) {
        const { drop, repeat, reorder, delay, cut } = this.#faults
        if (frame.startsWith(':')) write(frame)
        else if (!chance('drop', lenient ? 0 : drop)) {
          if (chance('reorder', reorder)) delayed.push({ frame, after: 1 + Math.floor(this.#next() * 4) })
          else if (chance('delay', delay)) delayed.push({ frame, after: 10 + Math.floor(this.#next() * 40) })
          else write(frame)
          if (chance('repeat', repeat)) delayed.push({ frame, after: Math.floor(this.#next() * 30) })
        }
        release(false)
        if (!lenient && chance('cut', cut)) {
          // Delayed messages are lost with their connection.
          response.destroy()
          return
        }
      }
    })
    answer.on('close', () => {
      release(true)
      response.end()
    })
  }
}
