import { trimEndChars } from '@flightdeck/api'

/** Quotes any text for the shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * The script of a step (docs/api §6.4): it ends with the first command that fails, and shows each before it runs. The text
 * goes through `printf`, because `echo` would interpret the backslashes in it.
 */
export function stepScript(commands: readonly string[]): string {
  // A block of several lines (`|` in yaml) ends with a line feed already.
  const shown = (command: string) => quote(trimEndChars(command, '\n'))
  const parts = commands.map((command) => `printf '+ %s\\n' ${shown(command)}\n${command}\n`)
  return `set -e\n\n${parts.join('\n')}`
}
