/**
 * The table of statuses and events that all other code uses. Sources: docs/api §5.1, specification
 * §4.
 */

export const statuses = [
  'waiting_on_dependencies',
  'blocked',
  'pending',
  'running',
  'success',
  'failure',
  'killed',
  'error',
  'skipped',
  'declined',
] as const
/**
 * The statuses that a runner can report for a stage or step. Only the server sets the others
 * (docs/api §7.3).
 */
export const reportedStatuses: readonly Status[] = [
  'pending',
  'running',
  'success',
  'failure',
  'killed',
  'error',
  'skipped',
]
/** The status of a build, stage or step. */
export type Status = (typeof statuses)[number]

export const buildEvents = ['push', 'pull_request', 'tag', 'cron', 'custom', 'promote', 'rollback'] as const
export type BuildEvent = (typeof buildEvents)[number]

/** The four shapes of a status icon (specification §4, "Icon groups"). */
export type IconGroup = 'cross' | 'dash' | 'circle' | 'tick'

interface StatusFacts {
  done: boolean
  failed: boolean
  icon: IconGroup
}

const facts: Record<Status | 'inactive', StatusFacts> = {
  waiting_on_dependencies: { done: false, failed: false, icon: 'circle' },
  blocked: { done: false, failed: false, icon: 'circle' },
  pending: { done: false, failed: false, icon: 'circle' },
  running: { done: false, failed: false, icon: 'circle' },
  success: { done: true, failed: false, icon: 'tick' },
  failure: { done: true, failed: true, icon: 'cross' },
  killed: { done: true, failed: true, icon: 'dash' },
  error: { done: true, failed: true, icon: 'cross' },
  skipped: { done: true, failed: false, icon: 'dash' },
  declined: { done: true, failed: false, icon: 'dash' },
  inactive: { done: true, failed: false, icon: 'dash' },
}

const unknown: StatusFacts = { done: false, failed: false, icon: 'dash' }
const lookUp = (status: string): StatusFacts => (Object.hasOwn(facts, status) ? facts[status as Status] : unknown)

/** Whether no further change is expected. Unknown statuses are not done. */
export const isDone = (status: string): boolean => lookUp(status).done
export const isFailed = (status: string): boolean => lookUp(status).failed
/** The icon group; unknown statuses get a dash. */
export const iconGroup = (status: string): IconGroup => lookUp(status).icon
/** Specification §4: "Pending or running builds can be cancelled". */
export const canCancel = (status: string): boolean => status === 'pending' || status === 'running'

/**
 * A build or step with one of these statuses that started and ended in the same second never ran,
 * so it has no duration.
 */
export const neverRanStatuses: readonly string[] = [
  'skipped',
  'declined',
  'blocked',
  'pending',
  'killed',
  'error',
  'waiting_on_dependencies',
]
