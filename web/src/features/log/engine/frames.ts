/**
 * Parses an event stream (WHATWG "Server-sent events") from its bytes: the data of its messages, in
 * batches.
 */

const lineEnd = /\r\n|\n|\r/

export class FrameReader {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #data: string[] = []
  #isMessage = true

  /** The data of the messages that these bytes complete; events with other names are ignored. */
  push(bytes: Uint8Array): string[] {
    let text = this.#rest + this.#decoder.decode(bytes, { stream: true })
    this.#rest = ''
    // The second half of this line end may still arrive.
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
/** Only after a line end: a log line could contain this text within a JSON string. */
const fault = /(?:^|[\r\n])event: ?error[ \t]*(?:\r\n|\r|\n)data:[^\r\n]*[\r\n]/

/**
 * Watches the stream for bytes that mean "nothing more will come" (docs/api §4.5), whatever the
 * event is called, and for any other error, after which the stream must be reopened (specification
 * §4).
 */
export class EndWatch {
  readonly #decoder = new TextDecoder()
  #tail = ''

  /** Both are always sent last, so only the end of each chunk is checked. */
  sees(bytes: Uint8Array): 'over' | 'cut' | undefined {
    this.#tail = (this.#tail + this.#decoder.decode(bytes.subarray(-256))).slice(-256)
    if (eof.test(this.#tail)) return 'over'
    return fault.test(this.#tail) ? 'cut' : undefined
  }
}
