/** Whether a build fits a `trigger` or a `when` (docs/api §6.3). */
import type { Condition, ConditionKey, Conditions } from './doc.ts'
import { matchGlob } from './glob.ts'

/** What conditions are compared with. */
export interface BuildInput {
  /** The build's target branch; for pull requests the branch it would be merged into. */
  branch: string
  event: string
  action: string
  ref: string
  /** `namespace/name` */
  repo: string
  /** Where a promotion goes to. */
  target: string
  /** The name of the job. */
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

/** `instance` and `paths` do not filter pipelines, `status` decides later (docs/api §5.2, step 10). */
export const matchTrigger = (trigger: Conditions, input: BuildInput): boolean =>
  triggerKeys.every((key) => matchCondition(trigger[key], input[key]))

/** Everything but `status`, which is the step's run policy. `instance` is the server's host name. */
export const matchWhen = (when: Conditions, input: BuildInput & { instance?: string }): boolean =>
  matchTrigger(when, input) && matchCondition(when.instance, input.instance ?? '')

/** When a stage or step runs: while nothing failed, once something failed, or both. */
export interface RunPolicy {
  onSuccess: boolean
  onFailure: boolean
}

/** Of a stage. Without a condition a failure stops (docs/api §5.2 "on_success", §5.7 "run policy"). */
export const runPolicy = (status: Condition | undefined): RunPolicy => ({
  onSuccess: matchCondition(status, 'success'),
  onFailure: status !== undefined && matchCondition(status, 'failure'),
})

/** Of a step: one that asks for neither, such as `status: [changed]`, runs on success, as Drone's exec runner has it. */
export const stepRunPolicy = (status: Condition | undefined): RunPolicy => {
  const { onSuccess, onFailure } = runPolicy(status)
  return { onSuccess: onSuccess || !onFailure, onFailure }
}
