import { quote } from '../pipeline/shell.ts'

/** Some shells reserve these variables, and exit when they are assigned. */
const reserved = ['UID', 'EUID', 'PPID', 'BASHOPTS', 'SHELLOPTS', 'BASH_VERSINFO']

/**
 * Shell code that sets these variables; `exec` follows it. Variables that a shell cannot set are
 * set by `env` at the end.
 */
export function shellVariables(variables: Readonly<Record<string, string>>): string {
  const all = Object.entries(variables)
  const isPlain = (name: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.includes(name)
  const plain = all.filter(([name]) => isPlain(name)).map(([name, value]) => `export ${name}=${quote(value)}\n`)
  const assignments = all.filter(([name]) => !isPlain(name)).map(([name, value]) => quote(`${name}=${value}`))
  const last = assignments.length === 0 ? '' : `set -- /usr/bin/env ${assignments.join(' ')} "$@"\n`
  // `LC_ALL` of the helpers must not reach the step.
  return `unset LC_ALL\n${plain.join('')}${last}`
}

/** Changes to the working directory with the rights of the step's account. */
export const enter = (folder: string): string =>
  `cd ${quote(folder)} 2>/dev/null || { echo 'The working directory of this stage cannot be opened.'; exit 1; }\n`
