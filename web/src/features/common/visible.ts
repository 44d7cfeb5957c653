/**
 * Invisible characters, with which a line can look different from what it contains: control
 * characters, bidirectional marks, zero-width marks, fillers and line separators. Each is shown by
 * its name in text that anyone with push access can write. U+FE0E and U+FE0F, which select the
 * style of an emoji, stay.
 */
const hidden = /[^\P{Cc}\t]|[^\P{Default_Ignorable_Code_Point}\ufe0e\ufe0f]|[\u2028\u2029\ufff9-\ufffb]/gu

/** `at`: its position in the text. */
export type VisiblePart = { at: number } & ({ text: string } | { name: string; code: string })

const partOf = (character: string, at: number): VisiblePart => {
  const point = character.codePointAt(0) ?? 0
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  // Unicode has symbols for the ASCII control characters.
  const name = point < 0x20 ? String.fromCodePoint(0x2400 + point) : point === 0x7f ? '\u2421' : code
  return { at, name, code }
}

/** `keep`: a character to leave unchanged, such as the line feed of a message. */
export const visibleParts = (text: string, keep = ''): VisiblePart[] => {
  const parts: VisiblePart[] = []
  let from = 0
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (character === keep) continue
    if (index > from) parts.push({ at: from, text: text.slice(from, index) })
    parts.push(partOf(character, index))
    from = index + character.length
  }
  if (from < text.length || parts.length === 0) parts.push({ at: from, text: text.slice(from) })
  return parts
}
