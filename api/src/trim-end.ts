/**
 * Removes trailing characters of the given set. A pattern (`/x+$/`) would restart at each such
 * character within the text, which takes quadratic time.
 */
export const trimEndChars = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
