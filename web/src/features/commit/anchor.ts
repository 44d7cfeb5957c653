/**
 * Links to a file of a commit and to one of its lines: `#src/a.ts`, `#src/a.ts:12`, and
 * `#src/a.ts:-12` for a deleted line. A colon in a name is escaped, so that it is not mistaken for
 * the one before the number.
 */
export interface Anchor {
  path: string
  /** The line number after the change; negative for the line number before it. */
  line?: number
}

/** Without the `#`. */
export const printAnchor = ({ path, line }: Anchor): string =>
  path.split('/').map(encodeURIComponent).join('/') + (line === undefined ? '' : `:${line}`)

export const readAnchor = (hash: string): Anchor | undefined => {
  const [, text = '', line] = /^#([^:]+)(?::(-?[1-9]\d{0,8}))?$/.exec(hash) ?? []
  if (text === '') return undefined
  try {
    return { path: decodeURIComponent(text), ...(line !== undefined && { line: Number(line) }) }
  } catch {
    return undefined
  }
}
