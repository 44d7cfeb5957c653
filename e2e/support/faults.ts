/** A proxy between a gateway and its server that causes network faults. */
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * `half`: breaks off in the middle. `late`: waits until it is released. `mixed`: swaps every two
 * events.
 */
export type Fault = 'half' | 'late' | 'mixed'

export class Faults {
  readonly #to: string
  readonly #server = createServer((incoming, response) => this.#pass(incoming, response))
  readonly #open = new Set<ServerResponse>()
  #fault: { kind: Fault; path: RegExp } | undefined
  #waiting: (() => void)[] = []

  constructor(to: string) {
    this.#to = to
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Starts a fault for requests to matching paths. */
  start(kind: Fault, path: RegExp): void {
    this.#fault = { kind, path }
  }
  /** Ends all faults and releases late responses. */
  end(): void {
    this.#fault = undefined
    for (const go of this.#waiting.splice(0)) go()
  }
  /** Breaks off all open connections. */
  cut(): void {
    for (const response of this.#open) response.destroy()
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
    const { method, url = '/', headers } = incoming
    const kind = this.#fault?.path.test(url) ? this.#fault.kind : undefined
    const send = () => {
      const outgoing = request(this.#to + url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        if (kind === 'half') answer.once('data', (part: Buffer) => this.#half(part, response))
        else if (kind === 'mixed') mix(answer, response)
        else answer.pipe(response)
      })
      outgoing.on('error', () => response.destroy())
      response.once('close', () => outgoing.destroy())
      incoming.pipe(outgoing)
    }
    if (kind === 'late') this.#waiting.push(send)
    else send()
  }

  #half(part: Buffer, response: ServerResponse): void {
    response.write(part.subarray(0, part.length >> 1), () => response.destroy())
  }
}

function mix(answer: IncomingMessage, response: ServerResponse): void {
  let text = ''
  let heldEvent: string | undefined
  answer.setEncoding('utf8').on('data', (part: string) => {
    const frames = (text + part).split(/\n\n+/)
    text = frames.pop() ?? ''
    for (const frame of frames) {
      if (frame.startsWith(':')) response.write(`${frame}\n\n`)
      else if (heldEvent === undefined) heldEvent = frame
      else {
        response.write(`${frame}\n\n${heldEvent}\n\n`)
        heldEvent = undefined
      }
    }
  })
  answer.once('close', () => response.end(heldEvent === undefined ? '' : `${heldEvent}\n\n`))
}
