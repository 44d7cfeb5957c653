/**
 * Without those of the characters that stand at the end, however many. A pattern for this (`/x+$/`) begins anew at each of
 * those within the text, which takes the square of its length.
 */
export const withoutEnd = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
