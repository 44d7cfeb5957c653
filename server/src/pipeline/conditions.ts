/** Whether a build fits a `trigger` or a `when` (docs/api §6.3). */
import type { Condition, ConditionKey, Conditions } from './doc.ts'
import { matchGlob } from './glob.ts'

/** The values that conditions are compared with. */
export interface BuildInput {
  /** The build's target branch; for pull requests the branch it would be merged into. */
  branch: string
  event: string
  action: string
  ref: string
  /** `namespace/name` */
  repo: string
  /** The target environment of a promotion. */
  target: string
  /** The name of the cron job. */
  cron: string
}

export const matchCondition = (condition: Condition | undefined, value: string): boolean => {
  if (!condition) return true
  if (condition.exclude.some((pattern) => matchGlob(pattern, value))) return false
  return condition.include.length === 0 || condition.include.some((pattern) => matchGlob(pattern, value))
}

export const triggerKeys = [
  'branch',
  'event',
  'action',
  'ref',
  'repo',
  'target',
  'cron',
] as const satisfies ConditionKey[]

/**
 * Ignores `instance` and `paths`, which do not filter pipelines, and `status`, which is checked
 * later (docs/api §5.2, step 10).
 */
export const matchTrigger = (trigger: Conditions, input: BuildInput): boolean =>
  triggerKeys.every((key) => matchCondition(trigger[key], input[key]))

/**
 * Checks everything but `status`, which is the step's run policy. `instance` is the server's host
 * name.
 */
export const matchWhen = (when: Conditions, input: BuildInput & { instance?: string }): boolean =>
  matchTrigger(when, input) && matchCondition(when.instance, input.instance ?? '')

/** Whether a stage or step runs after success, after failure, or both. */
export interface RunPolicy {
  onSuccess: boolean
  onFailure: boolean
}

/**
 * The run policy of a stage. By default it runs only after success (docs/api §5.2 "on_success",
 * §5.7 "run policy").
 */
export const runPolicy = (status: Condition | undefined): RunPolicy => ({
  onSuccess: matchCondition(status, 'success'),
  onFailure: status !== undefined && matchCondition(status, 'failure'),
})

/**
 * The run policy of a step. A step that names neither, such as `status: [changed]`, runs after
 * success, as in Drone's exec runner.
 */
export const stepRunPolicy = (status: Condition | undefined): RunPolicy => {
  const { onSuccess, onFailure } = runPolicy(status)
  return { onSuccess: onSuccess || !onFailure, onFailure }
}
