/** Who may run commands here without somebody's word (docs/api §5.2, step 9; issue 6, point 2; issue 11, point 10). */
import type { Build, BuildEvent, Repo, Stage } from '@flightdeck/api'
import type { StagePlan } from '../pipeline/plan.ts'
import { findGate, type Gate } from '../store/gates.ts'
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
  // Who approved a pull request did so for the few secrets that it sees; as a deployment it would see all of them.
  const isSameTrust = (parent.event === 'pull_request') === (hook.event === 'pull_request')
  const stages = isSameTrust ? await listStages(ci.db, parent.id) : []
  const approved = stages.filter((stage) => stage.approved)
  return { ...gate, approved: new Map(approved.map((stage) => [stage.name, stage])) }
}

/** What the world outside pushed; the other events are started by a person or the clock. */
const comesFromOutside = (origin: BuildEvent): boolean => /^(push|tag|pull_request)$/.test(origin)

/** A pull request from a branch of the repository itself: whoever wrote it may push here, too. */
const isOwnBranch = (repo: Repo, { sourceRepo = '' }: Pick<Hook, 'sourceRepo'>): boolean =>
  sourceRepo.toLowerCase() === repo.slug.toLowerCase()

/**
 * On a protected repository only signed files run unasked; pull requests only in a trusted repository, since anybody can
 * write one. A copy is judged by what it is a copy of, and stays closed even if the settings were changed meanwhile.
 */
export const gateOf = (repo: Repo, from: Inheritance, hook: Pick<Hook, 'sourceRepo'>): PlanJob['gate'] => {
  if (from.gated) return 'closed'
  if (!comesFromOutside(from.origin)) return 'open'
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
