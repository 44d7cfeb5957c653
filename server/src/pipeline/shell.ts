import { trimEndChars } from '@flightdeck/api'

/** Quotes any text for the shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * The script of a step (docs/api §6.4): it prints each command before running it and stops at the
 * first one that fails. The text goes through `printf`, because `echo` would interpret the
 * backslashes in it.
 */
export function stepScript(commands: readonly string[]): string {
  // A block scalar (`|` in YAML) already ends with a line feed.
  const shown = (command: string) => quote(trimEndChars(command, '\n'))
  const parts = commands.map((command) => `printf '+ %s\\n' ${shown(command)}\n${command}\n`)
  return `set -e\n\n${parts.join('\n')}`
}
