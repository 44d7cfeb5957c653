/** Quotes an argument for a shell. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/**
 * The command that starts this server again with further arguments. It contains no secrets, because
 * the options refuse them on a command line.
 */
export const startCommand = (args: readonly string[] = [], ...more: readonly string[]): string =>
  ['npm start --', ...args.map(quoted), ...more].join(' ')
