/** The names of the secrets that a pipeline file uses. Secret values are never sent to the page. */

const maxNames = 100
/** Matches `from_secret: name`, in block or flow style. Text after `#` is a comment. */
const secretReference = /\bfrom_secret:[ \t]*(?:"([\w.-]+)"|'([\w.-]+)'|([\w.-]+))/g

export const secretNames = (text: string): string[] => {
  const names = new Set<string>()
  for (const line of text.split('\n')) {
    const code = line.split('#', 1)[0] ?? ''
    for (const [, double, single, plain] of code.matchAll(secretReference)) names.add(double ?? single ?? plain ?? '')
    if (names.size >= maxNames) break
  }
  return [...names].toSorted()
}
