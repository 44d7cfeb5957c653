import { quote } from '../pipeline/shell.ts'

/** Some shells keep these for themselves, and end at an assignment. */
const reserved = ['UID', 'EUID', 'PPID', 'BASHOPTS', 'SHELLOPTS', 'BASH_VERSINFO']

/**
 * Commands that give a shell these variables, to be followed by `exec`. What a shell cannot
 * set is set by `env` at the end.
 */
export function shellVariables(variables: Readonly<Record<string, string>>): string {
  const all = Object.entries(variables)
  const isPlain = (name: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.includes(name)
  const plain = all.filter(([name]) => isPlain(name)).map(([name, value]) => `export ${name}=${quote(value)}\n`)
  const odd = all.filter(([name]) => !isPlain(name)).map(([name, value]) => quote(`${name}=${value}`))
  const last = odd.length === 0 ? '' : `set -- /usr/bin/env ${odd.join(' ')} "$@"\n`
  // The helpers' own is not the step's.
  return `unset LC_ALL\n${plain.join('')}${last}`
}
