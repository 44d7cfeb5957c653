/**
 * Parses the elements of a JSON list one by one from its chunks: megabytes are never parsed in one
 * turn.
 */
import { StringDecoder } from 'node:string_decoder'

/** Maximum characters of one repository or build in a list; longer ones are skipped. */
const maxLength = 256 * 1024
const quote = 34
const backslash = 92
const opens = new Set([91, 123])
const closes = new Set([93, 125])

/**
 * Passes on each object of the outermost array as text; ignores everything that is not an array.
 */
export function elementsOf(onElement: (text: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let depth = 0
  let isList = false
  let inString = false
  let isEscaped = false
  let partial = ''
  return (chunk) => {
    const text = decoder.write(chunk)
    let from = depth >= 2 ? 0 : -1
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (code === backslash) isEscaped = true
        else if (code === quote) inString = false
      } else if (code === quote) inString = true
      else if (opens.has(code)) {
        depth += 1
        if (depth === 1) isList = code === 91
        if (depth === 2) from = at
      } else if (closes.has(code)) {
        depth -= 1
        if (depth === 1 && from >= 0) {
          const element = partial + text.slice(from, at + 1)
          if (isList && element.length <= maxLength) onElement(element)
          partial = ''
          from = -1
        }
      }
    }
    if (from >= 0 && partial.length <= maxLength) partial += text.slice(from)
  }
}
