import { ConfigError, type FilePosition } from './doc.ts'
import { limits } from './documents.ts'

/**
 * Throws `ConfigError` if the lists together have more names than `limits` allows; repeated names
 * count. `what` names the owner of the lists in the error text, such as `the pipelines`.
 */
export const checkDependencies = (what: string, lists: Iterable<readonly string[]>, at?: FilePosition): void => {
  let count = 0
  let characters = 0
  for (const list of lists) {
    count += list.length
    for (const name of list) characters += name.length
    if (count > limits.dependencies) {
      throw new ConfigError(`linter: ${what} have more than ${limits.dependencies} dependencies in all`, at)
    }
    if (characters > limits.dependencyText) {
      throw new ConfigError(
        `linter: the dependencies of ${what} are longer than ${limits.dependencyText} characters`,
        at,
      )
    }
  }
}
