/** Reads an event stream (WHATWG "Server-sent events") from its bytes: the data of its messages, a batch at a time. */

const lineEnd = /\r\n|\n|\r/

export class FrameReader {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #data: string[] = []
  #isMessage = true

  /** The data of the messages that are complete with these bytes; events of other names are left out. */
  push(bytes: Uint8Array): string[] {
    let text = this.#rest + this.#decoder.decode(bytes, { stream: true })
    this.#rest = ''
    // The other half of this line end may be on its way.
    if (text.endsWith('\r')) {
      text = text.slice(0, -1)
      this.#rest = '\r'
    }
    const lines = text.split(text.includes('\r') ? lineEnd : '\n')
    this.#rest = (lines.pop() ?? '') + this.#rest
    const messages: string[] = []
    for (const line of lines) {
      if (line === '') this.#dispatch(messages)
      else if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5))
      else if (line.startsWith('event:')) this.#isMessage = /^event: ?(message)?$/.test(line)
    }
    return messages
  }

  #dispatch(messages: string[]): void {
    if (this.#data.length > 0 && this.#isMessage) messages.push(this.#data.join('\n'))
    this.#data = []
    this.#isMessage = true
  }
}

const eof = /(?:^|[\r\n])data: ?eof[ \t]*(?:[\r\n]|$)/
/** Behind a line end only: within a line of the log it would stand in a string of JSON. */
const fault = /(?:^|[\r\n])event: ?error[ \t]*(?:\r\n|\r|\n)data:[^\r\n]*[\r\n]/

/**
 * Looks in the bytes that pass for "nothing more will come" (docs/api §4.5), whatever the event is called, and for any other error,
 * after which the stream is to be opened again (specification §4).
 */
export class EndWatch {
  readonly #decoder = new TextDecoder()
  #tail = ''

  /** Each is the last thing that is sent, so that only the ends of pieces are looked at. */
  sees(bytes: Uint8Array): 'over' | 'cut' | undefined {
    this.#tail = (this.#tail + this.#decoder.decode(bytes.subarray(-256))).slice(-256)
    if (eof.test(this.#tail)) return 'over'
    return fault.test(this.#tail) ? 'cut' : undefined
  }
}
