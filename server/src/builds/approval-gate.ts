/** Whose commands run here without an approval (docs/api §5.2, step 9). */
import type { Build, Repo, Stage } from '@flightdeck/api'
import type { StagePlan } from '../pipeline/plan.ts'
import { findGate, listApproved, type Gate } from '../store/gates.ts'
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
  // A pull request is approved for the few secrets that it sees; as a deployment it would see all of them.
  const isSameTrust = (parent.event === 'pull_request') === (hook.event === 'pull_request')
  const stages = isSameTrust ? await listStages(ci.db, parent.id) : []
  const approved = stages.filter((stage) => stage.approved)
  return { ...gate, approved: new Map(approved.map((stage) => [stage.name, stage])) }
}

/**
 * What somebody approved of this commit's file for the branch, for a build that no push and no other build starts: a cron job, or one that
 * a person asks for. Who may push there could have changed what it runs since; what was approved once is not asked for each night.
 */
export const withApprovedCommit = async (
  ci: CiContext,
  { repo, hook, from, config }: { repo: Repo; hook: Hook; from: Inheritance; config: string },
): Promise<Inheritance> => {
  if (hook.parent || !repo.protected || !/^(?:cron|custom)$/.test(hook.event)) return from
  const approved = await listApproved(ci.db, { repoId: repo.id, sha: hook.after, ref: hook.ref, config })
  return { ...from, approved: new Map(approved.map((stage) => [stage.name, stage])) }
}

/** A pull request from a branch of the repository itself: whoever wrote it may push here, too. */
const isOwnBranch = (repo: Repo, { sourceRepo = '' }: Pick<Hook, 'sourceRepo'>): boolean =>
  sourceRepo.toLowerCase() === repo.slug.toLowerCase()

/**
 * On a protected repository only signed files run unasked, whatever starts them: a push, a cron job, a call or a person. Pull requests run
 * only in a trusted repository, since anybody can write one. A copy is judged by what it is a copy of, and stays closed even if the
 * settings were changed meanwhile.
 */
export const gateOf = (repo: Repo, from: Inheritance, hook: Pick<Hook, 'sourceRepo'>): PlanJob['gate'] => {
  if (from.gated) return 'closed'
  if (from.origin === 'pull_request' && !repo.trusted && !isOwnBranch(repo, hook)) return 'closed'
  return repo.protected ? 'open if signed' : 'open'
}

/** The stages with the words that were given for them already. */
export const withApprovals = (stages: readonly StagePlan[], { approved }: Inheritance) =>
  stages.map((stage) => {
    const word = stage.status === 'blocked' ? approved.get(stage.name) : undefined
    if (!word) return stage
    return { ...stage, status: openStatus(stage), approved: word.approved, approved_by: word.approved_by }
  })
