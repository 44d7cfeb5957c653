/** Actions on a build, with the texts of specification §8. */
import type { Build, Stage } from '@flightdeck/api'

import { FullMessageError, type Action } from '../action.ts'
import { client } from '../client.ts'
import { keyOf, type Key } from '../keys.ts'
import { queryOf } from '../queries.ts'
import { errorText, queryClient } from '../query-client.ts'

export interface RepoAddress {
  namespace: string
  name: string
}
export interface BuildAddress extends RepoAddress {
  number: number
}

const subjectOf = ({ namespace, name, number }: BuildAddress): string => `build ${namespace}/${name}#${number}`
/** A queued build causes no event until a runner accepts it (docs/api §9.6). */
const lists = ({ namespace, name }: RepoAddress): Key[] => [
  keyOf('listBuilds', namespace, name),
  keyOf('listBranches', namespace, name),
]

/** The response is `null` when the server skipped the build (docs/api §9.2). */
const made = async (answer: Promise<Build | null>, nothing: () => Error): Promise<Build> => {
  const build = await answer
  if (!build?.number) throw nothing()
  return build
}
const notCreated = () => new Error('the server did not create a build')

export interface NewBuild {
  branch?: string
  commit?: string
  parameters?: Record<string, string>
}

export const startBuild = ({ namespace, name }: RepoAddress): Action<NewBuild, Build> => ({
  name: 'start',
  subject: `builds of ${namespace}/${name}`,
  send: ({ branch, commit, parameters }) =>
    made(
      client.createBuild(namespace, name, {
        ...parameters,
        branch: branch || undefined,
        commit: commit || undefined,
      }),
      () => new Error('the pipeline has nothing to run for this branch'),
    ),
  stale: lists({ namespace, name }),
  done: 'New build has started successfully',
  failed: 'Unable to start a new build',
})

export const restartBuild = (build: BuildAddress): Action<void, Build> => ({
  name: 'restart',
  subject: subjectOf(build),
  send: () => made(client.restartBuild(build.namespace, build.name, build.number), notCreated),
  stale: lists(build),
  failed: 'Unable to restart build',
})

export const debugBuild = (build: BuildAddress): Action<void, Build> => ({
  name: 'debug',
  subject: subjectOf(build),
  send: () => made(client.restartBuild(build.namespace, build.name, build.number, { debug: true }), notCreated),
  stale: lists(build),
  failed: 'Unable to restart in debug mode',
})

export const cancelBuild = (build: BuildAddress): Action<void, Build> => ({
  name: 'cancel',
  subject: subjectOf(build),
  send: () =>
    made(
      client.cancelBuild(build.namespace, build.name, build.number),
      () => new Error('the server did not say which build was canceled'),
    ),
  updateCache: (answer) => {
    // The response has fewer fields than the cache (no stages), and no event follows it (docs/api
    // §9.6).
    const { queryKey } = queryOf('getBuild', build.namespace, build.name, answer.number)
    if (answer.number === build.number)
      queryClient.setQueryData(queryKey, (known) => (known ? { ...known, ...answer } : known))
    void queryClient.invalidateQueries({ queryKey })
  },
  stale: lists(build),
  failed: 'Unable to cancel build',
})

export interface Deployment {
  action: 'promote' | 'rollback'
  target: string
  parameters: Record<string, string>
}

export const deployBuild = (build: BuildAddress): Action<Deployment, Build> => ({
  name: 'deploy',
  subject: subjectOf(build),
  send: ({ action, target, parameters }) => {
    const send = action === 'promote' ? client.promoteBuild : client.rollbackBuild
    return made(
      send(build.namespace, build.name, build.number, { ...parameters, target }),
      () => new FullMessageError('Unable to create new deploy in this repo'),
    )
  },
  stale: [...lists(build), keyOf('listDeployments', build.namespace, build.name)],
  failed: 'Unable to create new deploy',
})

const decide =
  (verb: 'approve' | 'decline') =>
  (build: BuildAddress, stage: number): Action<void, unknown> => ({
    name: verb,
    subject: subjectOf(build),
    send: () => client[`${verb}Stage`](build.namespace, build.name, build.number, stage),
    stale: [keyOf('getBuild', build.namespace, build.name, build.number), ...lists(build)],
    failed: `Unable to ${verb} build`,
  })
export interface StageOutcome {
  stage: string
  /** Why this stage was not approved. */
  error?: string
}
/** Whether somebody else has approved the stage meanwhile. */
const isApproved = (error: string): boolean =>
  /^Cannot approve a Pipeline with Status "(?!declined|blocked|skipped|killed)/.test(error)

/**
 * Approves the stages one after the other, each with its own request. A refusal does not stop the
 * others; the result has one outcome per stage.
 */
export const approveStages = (
  build: BuildAddress,
  stages: readonly Pick<Stage, 'number' | 'name'>[],
): Action<void, StageOutcome[]> => ({
  name: 'approve all',
  subject: subjectOf(build),
  send: async () => {
    const outcomes: StageOutcome[] = []
    for (const { number, name } of stages) {
      try {
        await client.approveStage(build.namespace, build.name, build.number, number)
        outcomes.push({ stage: name })
      } catch (error) {
        const text = errorText(error)
        outcomes.push(isApproved(text) ? { stage: name } : { stage: name, error: text })
      }
    }
    return outcomes
  },
  stale: [keyOf('getBuild', build.namespace, build.name, build.number), ...lists(build)],
})
export const approveStage = decide('approve')
export const declineStage = decide('decline')
