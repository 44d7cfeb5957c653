/** Which URLs in a log become links, and where plain URLs are in a text. */

/** The URL if its scheme is allowed: only http, https and mailto. */
export const safeHref = (address: string): string | undefined => {
  if (!/^(?:https?:\/\/|mailto:)/i.test(address) || address.length > 4096) return undefined
  try {
    return new URL(address).href
  } catch {
    return undefined
  }
}

export interface FoundLink {
  start: number
  end: number
  href: string
}

const address = /\b(?:https?:\/\/|mailto:)[^\s<>"'`\u0000-\u001f\u007f-\u009f]+/gi
const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** How often each character occurs; counted once per address, so that trimming stays linear. */
const countOf = (text: string, char: string): number => {
  let count = 0
  for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) count++
  return count
}

/** Removes surrounding punctuation; a closing bracket stays if its opening one is inside. */
const trimmed = (found: string): string => {
  const surplus: Record<string, number> = {}
  for (const [close, open] of Object.entries(closers)) surplus[close] = countOf(found, close) - countOf(found, open)
  let end = found.length
  while (end > 0) {
    const last = found.charAt(end - 1)
    const extra = surplus[last]
    if (extra !== undefined) {
      if (extra <= 0) break
      surplus[last] = extra - 1
    } else if (!'.,;:!?*'.includes(last)) break
    end--
  }
  return found.slice(0, end)
}

/** The plain URLs in a text, in order. */
export const findLinks = (text: string): FoundLink[] => {
  if (!text.includes('://') && !/mailto:/i.test(text)) return []
  const links: FoundLink[] = []
  for (const match of text.matchAll(address)) {
    const found = trimmed(match[0])
    const href = safeHref(found)
    if (href) links.push({ start: match.index, end: match.index + found.length, href })
  }
  return links
}
