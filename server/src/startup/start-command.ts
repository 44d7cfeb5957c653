/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/**
 * How to start this server again as it was started, with more. No secret stands on a command line (the options refuse it), so
 * none can be in here.
 */
export const startCommand = (words: readonly string[] = [], ...more: readonly string[]): string =>
  ['npm start --', ...words.map(quoted), ...more].join(' ')
