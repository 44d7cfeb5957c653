/** Builds that people start, copy and end. */
import type { Build, Repo } from '@flightdeck/api'
import type { Ci } from '../interfaces/ci.ts'
import { askedBy, type Hook, type HookSource } from '../interfaces/hook.ts'
import { checkParameters } from '../lib/limits.ts'
import { Refusal } from '../lib/refusal.ts'
import { findBuildByNumber } from '../store/builds.ts'
import { findEnvironmentRule } from '../store/environments.ts'
import { listWaitingOfRef } from '../store/forge-builds.ts'
import { approveStage, decline } from './approval.ts'
import { cancelBuild } from './cancel.ts'
import { required, type CiContext } from './context.ts'
import type { LogClosers } from './delayed-log-close.ts'
import { checkDeployer, mayDeploy } from './deployers.ts'
import type { FairSemaphore } from './fair-semaphore.ts'
import { rerunHook, customHook, deployHook, restartHook } from './hooks.ts'
import { purge } from './purge.ts'
import { checkAgain } from './rerun.ts'
import { triggerBuild } from './trigger.ts'

export type Trigger = (repoId: number, hook: Hook, source?: HookSource) => Promise<Build | null>

type BuildStarts = Pick<
  Ci,
  'start' | 'restart' | 'again' | 'deploy' | 'mayDeploy' | 'cancel' | 'approve' | 'decline' | 'purge'
> & {
  trigger: Trigger
  /** Cancels the builds of a ref that have not started. */
  cancelWaiting(repoId: number, ref: string, by: string): Promise<void>
}

const checkRestart = ({ status }: Build): void => {
  if (status === 'declined' || status === 'blocked') throw new Refusal(400, `cannot start a ${status} build`)
}

/** `starts`: limits git for manual builds to one per repository. */
export const createBuildStarts = (ci: CiContext, closers: LogClosers, starts: FairSemaphore): BuildStarts => {
  const { db } = ci
  const trigger: Trigger = (repoId, hook, source) => triggerBuild(ci, closers, repoId, hook, source)
  const find = async (repo: Repo, number: number): Promise<Build> =>
    required(await findBuildByNumber(db, repo.id, number))

  return {
    trigger,
    async start(repo, input, by, stillMay) {
      checkParameters(input.params)
      const start = async () => trigger(repo.id, await customHook(ci, repo, input, by), askedBy(stillMay))
      return starts.run(start, repo.id)
    },
    async restart(repo, number, input, by, stillMay) {
      checkParameters(input.params)
      const build = await find(repo, number)
      checkRestart(build)
      await checkDeployer(db, repo, build, { by, verb: 'deploy to' })
      return trigger(repo.id, restartHook(build, input, by), askedBy(stillMay, build))
    },
    async again(repo, number, part, by, stillMay) {
      const build = await find(repo, number)
      checkRestart(build)
      checkAgain(build, part)
      await checkDeployer(db, repo, build, { by, verb: 'deploy to' })
      return trigger(repo.id, rerunHook(build, part, by), askedBy(stillMay, build))
    },
    async deploy(repo, number, input, by, stillMay) {
      checkParameters(input.params)
      const build = await find(repo, number)
      if (input.target === '') throw new Refusal(400, 'Missing target environment')
      await checkDeployer(db, repo, { event: input.event, deploy_to: input.target }, { by, verb: 'deploy to' })
      return trigger(repo.id, deployHook(build, input, by), askedBy(stillMay, build))
    },
    mayDeploy: async (repo, name, user) => mayDeploy(db, repo, await findEnvironmentRule(db, repo.id, name), user),
    async cancel(repo, number, by, stillMay) {
      return cancelBuild(ci, closers, (await find(repo, number)).id, { status: 'killed', by: by.login, stillMay })
    },
    async cancelWaiting(repoId, ref, by) {
      for (const id of await listWaitingOfRef(db, repoId, ref))
        await cancelBuild(ci, closers, id, { status: 'killed', by })
    },
    approve: (repo, number, stage, by, stillMay) => approveStage(ci, repo, number, stage, by, stillMay),
    decline: (repo, number, stage, by, stillMay) => decline(ci, repo, number, stage, by, stillMay),
    purge: (repo, before, by) => purge(ci, closers, { repo, before, by }),
  }
}
