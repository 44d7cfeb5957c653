/**
 * The visible text of a line: without colors and text that a carriage return has overwritten, and
 * of limited length.
 */

/** Text beyond this column is never relevant. */
export const maxChars = 2000

const escapes = /[\u0000-\u0008\u000b-\u001f\u007f]/
/** Sequences of a terminal: `ESC [ … m`, `ESC ] … BEL`, and two-character ones. */
const sequences = /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]?|\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)?|[ -/]?[0-~])/g
const others = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** The visible text after the last carriage return that was followed by text. */
const lastWritten = (text: string): string => {
  const written = text.trimEnd()
  return written.slice(written.lastIndexOf('\r') + 1)
}

/** The visible text, regardless of its length. */
export const readable = (text: string): string =>
  escapes.test(text) ? lastWritten(text.replace(sequences, '')).replace(others, '') : text

export const plainOf = (text: string): string =>
  readable(text.length > 4 * maxChars ? text.slice(0, 4 * maxChars) : text).slice(0, maxChars)
