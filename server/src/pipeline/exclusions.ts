/**
 * Describes the condition that excludes a pipeline or step from a build (docs/api §5.2, step 10;
 * §5.7 "skipped by other `when`").
 */
import type { LeftOut } from '@flightdeck/api'
import { matchCondition, triggerKeys, type BuildInput } from './conditions.ts'
import type { Condition, Conditions } from './doc.ts'
import { cut, someOf } from './short-lists.ts'

/** Longer lists are not listed in full; a file may have a thousand entries of each. */
const maxListed = 50

const inWords = (key: string, { include, exclude }: Condition, value: string): string => {
  const isMissing = include.length > 0 && !matchCondition({ include, exclude: [] }, value)
  return isMissing
    ? `${key} is not ${someOf(include, 'or')}`
    : `${key} is ${value ? cut(value) : someOf(exclude, 'or')}`
}

/**
 * For example `branch is not main`; `undefined` if nothing is excluded. Ignores `status`, which is
 * checked later, and `instance`, which the runner checks.
 */
export const exclusionReason = (conditions: Conditions, input: BuildInput): string | undefined => {
  for (const key of triggerKeys) {
    const condition = conditions[key]
    if (condition && !matchCondition(condition, input[key])) return inWords(key, condition, input[key])
  }
  return undefined
}

export const listExcluded = (
  all: readonly { name: string; conditions: Conditions }[],
  input: BuildInput,
): LeftOut[] => {
  const found: LeftOut[] = []
  for (const { name, conditions } of all) {
    const text = found.length < maxListed ? exclusionReason(conditions, input) : undefined
    if (text !== undefined) found.push({ name: cut(name), text })
  }
  return found
}
