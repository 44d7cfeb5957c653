/** Which condition leaves a pipeline or a step out of a build, in words (docs/api §5.2, step 10; §5.7 "skipped by other `when`"). */
import type { LeftOut } from '@flightdeck/api'
import { matchCondition, triggerKeys, type BuildInput } from './conditions.ts'
import type { Condition, Conditions } from './doc.ts'
import { cut, someOf } from './short-lists.ts'

/** A longer list is not read; a file may have a thousand of each. */
const maxListed = 50

const inWords = (key: string, { include, exclude }: Condition, value: string): string => {
  const wanted = include.length > 0 && !matchCondition({ include, exclude: [] }, value)
  return wanted ? `${key} is not ${someOf(include, 'or')}` : `${key} is ${value ? cut(value) : someOf(exclude, 'or')}`
}

/** `branch is not main`; `undefined` if they leave nothing out. `status` decides later, `instance` is the runner's. */
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
