/** An `EventSource` for Node, as far as a log needs one: it reads frames and never connects again by itself. */
import { get, type IncomingMessage } from 'node:http'

export class NodeEventSource extends EventTarget {
  readonly #request
  #closed = false

  constructor(url: string) {
    super()
    this.#request = get(url, (response) => this.#read(response))
    this.#request.on('error', () => this.#fail())
  }

  close(): void {
    this.#closed = true
    this.#request.destroy()
  }

  #fail(): void {
    if (this.#closed) return
    this.#closed = true
    this.dispatchEvent(new Event('error'))
  }

  #read(response: IncomingMessage): void {
    if (response.statusCode !== 200) {
      this.#fail()
      return
    }
    this.dispatchEvent(new Event('open'))
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      text += chunk
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) this.#dispatch(frame)
    })
    response.on('close', () => this.#fail())
    response.on('error', () => this.#fail())
  }

  #dispatch(frame: string): void {
    if (this.#closed) return
    let type = 'message'
    const data: string[] = []
    for (const line of frame.split('\n')) {
      if (line.startsWith('event: ')) type = line.slice(7)
      else if (line.startsWith('data: ')) data.push(line.slice(6))
    }
    if (data.length > 0) this.dispatchEvent(new MessageEvent(type, { data: data.join('\n') }))
  }
}
