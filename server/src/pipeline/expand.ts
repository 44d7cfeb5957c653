import type { EnvironmentValue } from './doc.ts'

type Variables = Record<string, string>

/**
 * Replaces `$NAME` and `${NAME}` in a text, as Drone's exec runner does for `PATH` (docs/api §6.7).
 * Substitution in the file runs first and turns `$$` into `$`. Any other `$` stays, and `$$` before
 * a name or a brace is a plain `$`. `isUnknownEmpty`: replace unknown names by nothing. Otherwise
 * they stay as written, because `pa$word` may be a password.
 */
export function expandText(text: string, variables: Readonly<Variables>, isUnknownEmpty = false): string {
  return text.replace(
    /\$\$(?=[A-Za-z_{])|\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})/g,
    (found, plain?: string, braced?: string) => {
      if (found === '$$') return '$'
      const name = plain ?? braced ?? ''
      return (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? (isUnknownEmpty ? '' : found)
    },
  )
}

/**
 * Adds the variables of an `environment` map to `base`, in the order of the file. A value can use
 * all variables set before it, its own name included (`PATH: /opt/bin:$PATH`), and all secrets of
 * the same map; the value of a secret is not expanded. In `PATH` unknown names expand to nothing,
 * as in Drone.
 */
export function withEnvironment(
  base: Readonly<Variables>,
  environment: Readonly<Record<string, EnvironmentValue>>,
  findSecret: (name: string) => string,
): Variables {
  const result: Variables = { ...base }
  const entries = Object.entries(environment)
  for (const [name, value] of entries) if (typeof value !== 'string') result[name] = findSecret(value.from_secret)
  for (const [name, value] of entries)
    if (typeof value === 'string') result[name] = expandText(value, result, name === 'PATH')
  return result
}
