/** The secrets that a pipeline file asks for: their names alone, for nobody is told a value. */

const most = 100
/** `from_secret: name`, in a block or between braces; what stands behind a `#` is a comment. */
const asked = /\bfrom_secret:[ \t]*(?:"([\w.-]+)"|'([\w.-]+)'|([\w.-]+))/g

export const secretNames = (text: string): string[] => {
  const names = new Set<string>()
  for (const line of text.split('\n')) {
    const code = line.split('#', 1)[0] ?? ''
    for (const [, double, single, plain] of code.matchAll(asked)) names.add(double ?? single ?? plain ?? '')
    if (names.size >= most) break
  }
  return [...names].toSorted()
}
