/** Quotes an argument for a shell. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/**
 * The command that starts this server again with further arguments. It contains no secrets, because
 * the options refuse them on a command line.
 */
export const startCommand = (args: readonly string[] = [], ...more: readonly string[]): string =>
  ['npm start --', ...args.map(quoted), ...more].join(' ')
