/** Plans the stages of a build (docs/api §5.2, steps 10 to 13). */
import type { LeftOut, Stage } from '@flightdeck/api'
import { matchTrigger, runPolicy } from './conditions.ts'
import type { BuildInput } from './conditions.ts'
import { checkDependencies } from './dependencies.ts'
import { ConfigError, stageName } from './doc.ts'
import { ignoredIn } from './docker-only.ts'
import { listExcluded } from './exclusions.ts'
import type { PipelineDoc } from './doc.ts'

/**
 * A stage before it is stored. The keys are those of the entity and optional where they are
 * optional there.
 */
export type StagePlan = Pick<
  Stage,
  | 'number'
  | 'name'
  | 'kind'
  | 'type'
  | 'status'
  | 'errignore'
  | 'exit_code'
  | 'os'
  | 'arch'
  | 'variant'
  | 'kernel'
  | 'limit'
  | 'on_success'
  | 'on_failure'
  | 'depends_on'
  | 'labels'
  | 'ignored'
  | 'left_out'
>

/** Repetitions stay (docs/api §5.2), so a chain of skipped pipelines could grow exponentially. */
const maxDependencies = 1_000

/** Replaces an excluded pipeline by its own dependencies. */
const remainingDependencies = (
  docs: readonly PipelineDoc[],
  included: ReadonlySet<PipelineDoc>,
): Map<PipelineDoc, string[]> => {
  const byName = new Map<string, PipelineDoc>()
  const result = new Map<PipelineDoc, string[]>()
  for (const doc of docs) {
    const names: string[] = []
    // Drone looks up an unnamed pipeline under the wrong name and so ignores its dependencies.
    for (const name of doc.name ? doc.depends_on : []) {
      const dependency = byName.get(name)
      if (!dependency) continue
      if (included.has(dependency)) names.push(name)
      else names.push(...(result.get(dependency) ?? []))
      if (names.length > maxDependencies) throw new ConfigError(`linter: pipeline ${name} has too many dependencies`)
    }
    result.set(doc, names)
    byName.set(stageName(doc), doc)
  }
  return result
}

const isEmpty = (map: object): boolean => Object.keys(map).length === 0

interface StagePosition {
  number: number
  dependsOn: string[]
  gated: boolean
}

const planStage = (doc: PipelineDoc, input: BuildInput, { number, dependsOn, gated }: StagePosition): StagePlan => {
  const { onSuccess, onFailure } = runPolicy(doc.trigger.status)
  const ignored = doc.type === 'exec' ? ignoredIn(doc) : []
  const leftOut = listExcluded(
    doc.steps.map(({ name, when }) => ({ name, conditions: when })),
    input,
  )
  const initial = dependsOn.length > 0 ? 'waiting_on_dependencies' : 'pending'
  return {
    number,
    name: stageName(doc),
    kind: doc.kind,
    ...(doc.type ? { type: doc.type } : {}),
    status: gated ? 'blocked' : initial,
    errignore: false,
    exit_code: 0,
    os: doc.platform.os || 'linux',
    arch: doc.platform.arch || 'amd64',
    ...(doc.platform.variant ? { variant: doc.platform.variant } : {}),
    ...(doc.platform.version ? { kernel: doc.platform.version } : {}),
    ...(doc.concurrency.limit > 0 ? { limit: doc.concurrency.limit } : {}),
    on_success: onSuccess,
    on_failure: onFailure,
    ...(dependsOn.length > 0 ? { depends_on: dependsOn } : {}),
    ...(ignored.length > 0 ? { ignored } : {}),
    ...(leftOut.length > 0 ? { left_out: leftOut } : {}),
    ...(isEmpty(doc.node) ? {} : { labels: { ...doc.node } }),
  }
}

/** Expects docs that passed `lint`. No stage means that the build is skipped. */
export const planBuild = (
  docs: readonly PipelineDoc[],
  input: BuildInput,
  { gated }: { gated: boolean },
): StagePlan[] => {
  const matching = docs.filter((doc) => matchTrigger(doc.trigger, input))
  const dependencies = remainingDependencies(docs, new Set(matching))
  // Replacing excluded pipelines can add dependencies beyond those in the file.
  checkDependencies(
    'the pipelines of this build',
    matching.map((doc) => dependencies.get(doc) ?? []),
  )
  return matching.map((doc, index) =>
    planStage(doc, input, { number: index + 1, dependsOn: dependencies.get(doc) ?? [], gated }),
  )
}

/** The pipelines of the file without a stage in the build. */
export const listSkippedPipelines = (docs: readonly PipelineDoc[], input: BuildInput): LeftOut[] =>
  listExcluded(
    docs.map((doc) => ({ name: stageName(doc), conditions: doc.trigger })),
    input,
  )
