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

/** Looks for "nothing more will come" (docs/api §4.5) in the bytes that pass, whatever the event is called. */
export class EndWatch {
  readonly #decoder = new TextDecoder()
  #tail = ''

  /** True once it was seen. It is the last thing that is sent, so that only the ends of pieces are looked at. */
  sees(bytes: Uint8Array): boolean {
    this.#tail = (this.#tail + this.#decoder.decode(bytes.subarray(-64))).slice(-64)
    return eof.test(this.#tail)
  }
}
