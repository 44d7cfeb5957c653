/** Splits the text of an event stream into its frames (docs/api §4.1), however it is chunked. */

/** Longer than any event: a build of a thousand stages is 1 MiB. */
const maxCharacters = 16 * 1024 * 1024

/** A frame is handed on with the empty line that ends it. Throws when one has no end. */
export function framesOf(onFrame: (frame: string) => void): (text: string) => void {
  let pieces: string[] = []
  let size = 0
  let lineEnded = false
  return (text) => {
    let from = 0
    for (;;) {
      const across = from === 0 && lineEnded && text.startsWith('\n')
      const found = across ? 0 : text.indexOf('\n\n', from)
      if (found < 0) break
      const to = across ? 1 : found + 2
      pieces.push(text.slice(from, to))
      onFrame(pieces.join(''))
      pieces = []
      size = 0
      lineEnded = false
      from = to
    }
    if (from === text.length) return
    pieces.push(text.slice(from))
    size += text.length - from
    lineEnded = text.endsWith('\n')
    if (size > maxCharacters) throw new Error('an event without an end')
  }
}

/** What an event says; `null` for a comment, and for those that are not about a build. */
export function dataOf(frame: string): string | null {
  const line = frame.trimStart()
  return line.startsWith('data:') ? line.slice('data:'.length).trim() : null
}

export const textOf = (data: string): string => `data: ${data}\n\n`
/** A browser's `EventSource` shows no comment, and the page takes silence for a dead connection. */
export const visiblePing = ': ping\n\nevent: ping\ndata: ping\n\n'
