/** How lines belong together: what announces another line, and what says only where. */

/** A place in the source, a frame of a trace, a piece of source: nothing besides. */
export const place =
  /^\s*(?:(?:at|in|from|#|--?>|[›❯→>@]|File|file:|├|└|╭|│)\s*)?"?(?:[A-Za-z]:)?[^\s:]{1,300}(?:[:(]\d+(?:[:,]\d+)?\)?|\.\w{1,6}|,? line \d+(?:, in .{1,100})?)"?:?\s*$|^\s*at [\w$.<[]|^.{1,200} => \S{1,200}:\d+:\d+$|^\s*\d+ *[|▕│]|^\s*[>➜] \d+ *[|▕│]/

/** The first line of a box, which tells what all of it is. */
const boxed = /^[│|┃] ?(?:Warning|Error)\b/

/** Whether a line stands in a box that only warns. */
export class Boxes {
  #warns = false

  warns(plain: string): boolean {
    if (!/^[│|┃]/.test(plain)) this.#warns = false
    else if (boxed.test(plain)) this.#warns = plain.includes('Warning')
    return this.#warns
  }
}

/** What a program says with an error's name before it. */
const named = /^\s*(?:[\w.]{1,60}(?:Error|Exception|Failure)?: )?/

/** Does a line say no more than the name of the test that failed? */
export const repeats = (plain: string, opener: string): boolean => {
  const message = plain.replace(named, '').trim()
  return message.length > 7 && opener.includes(message)
}

/** What of a block is no reason either: frames drawn, keys of YAML. */
export const drawn =
  /^\s*(?:[╭╰╵╷┌└│├·]|[─=~^-]{2}|(?:at|diff|stack|source|duration_ms|type|location|fileName|lineNumber)\b.{0,3}(?::|$)|- (?:hook id|exit code|duration)\b)/

export const indentOf = (text: string): number => text.length - text.trimStart().length

/** Headings that say of a diagnosis only that it comes. */
export const empty =
  /\b(?:issues?|problems?|errors?|failures?|violations?|message|following|reasons?|because|causes?)\s*:$/i

/** Does a line of this weight announce the one behind it? */
export const announcing = (plain: string, weight: number): boolean => {
  const text = plain.trimEnd()
  if (/^\S.{0,60} \(\d+\)$/.test(text)) return weight >= 20
  if (!text.endsWith(':') || weight < 30 || place.test(text) || /\b[Ee]xpected\b/.test(text)) return false
  return empty.test(text) || weight < 80
}
