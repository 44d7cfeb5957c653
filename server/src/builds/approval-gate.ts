/** Decides which builds need approval before their commands run (docs/api §5.2, step 9). */
import type { Build, Repo, Stage } from '@flightdeck/api'
import type { StagePlan } from '../pipeline/plan.ts'
import { findGate, listApproved, type Gate } from '../store/approval-gates.ts'
import { listStages } from '../store/stages.ts'
import { openStatus } from './approval.ts'
import type { CiContext } from './context.ts'
import type { PlanJob } from '../pipeline-files/jobs.ts'
import type { Hook } from '../interfaces/hook.ts'

/** What a copy takes over from the build that it is made from. */
export interface Inheritance extends Gate {
  /** Stages that were approved there. */
  approved: ReadonlyMap<string, Pick<Stage, 'approved' | 'approved_by'>>
}

/** Of a hook without a parent: its own event, nothing approved. */
export const inheritanceOf = async (ci: CiContext, hook: Hook, parent: Build | null): Promise<Inheritance> => {
  const gate = parent && (await findGate(ci.db, parent.id))
  if (!parent || !gate) return { origin: hook.event, gated: false, approved: new Map() }
  // A pull request is approved for the few secrets that it sees; as a deployment it would see all
  // of them.
  const isSameTrust = (parent.event === 'pull_request') === (hook.event === 'pull_request')
  const stages = isSameTrust ? await listStages(ci.db, parent.id) : []
  const approved = stages.filter((stage) => stage.approved)
  return { ...gate, approved: new Map(approved.map((stage) => [stage.name, stage])) }
}

/**
 * Reuses an earlier approval of this commit's file on the branch, for cron jobs and builds that a
 * person starts. Users with push access could have changed what runs since, but an approved commit
 * does not need approval again each night.
 */
export const withApprovedCommit = async (
  ci: CiContext,
  { repo, hook, from, config }: { repo: Repo; hook: Hook; from: Inheritance; config: string },
): Promise<Inheritance> => {
  if (hook.parent || !repo.protected || !/^(?:cron|custom)$/.test(hook.event)) return from
  const approved = await listApproved(ci.db, { repoId: repo.id, sha: hook.after, ref: hook.ref, config })
  return { ...from, approved: new Map(approved.map((stage) => [stage.name, stage])) }
}

/** A pull request from a branch of the same repository: its author has push access. */
const isOwnBranch = (repo: Repo, { sourceRepo = '' }: Pick<Hook, 'sourceRepo'>): boolean =>
  sourceRepo.toLowerCase() === repo.slug.toLowerCase()

/**
 * A protected repository runs only signed files without approval, whatever the trigger (push, cron,
 * API or person). Pull requests run only in trusted repositories, because anyone can open one. A
 * restarted build inherits the gate of its original, even if the settings have changed since.
 */
export const gateOf = (repo: Repo, from: Inheritance, hook: Pick<Hook, 'sourceRepo'>): PlanJob['gate'] => {
  if (from.gated) return 'closed'
  if (from.origin === 'pull_request' && !repo.trusted && !isOwnBranch(repo, hook)) return 'closed'
  return repo.protected ? 'open if signed' : 'open'
}

/** The stages with their existing approvals. */
export const withApprovals = (stages: readonly StagePlan[], { approved }: Inheritance) =>
  stages.map((stage) => {
    const approval = stage.status === 'blocked' ? approved.get(stage.name) : undefined
    if (!approval) return stage
    return { ...stage, status: openStatus(stage), approved: approval.approved, approved_by: approval.approved_by }
  })
