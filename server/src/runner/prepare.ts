import type { Step } from '@flightdeck/api'
import type { EnvironmentValue } from '../pipeline/doc.ts'
import { substitutionVariables } from '../pipeline/environment.ts'
import type { MaskedSecret } from '../pipeline/mask.ts'
import type { StepPlan } from '../pipeline/steps.ts'
import type { PipelineFiles } from '../pipeline-files/pipeline-files.ts'
import type { StageContext } from '../interfaces/runner.ts'
import { stageSecrets } from './secrets.ts'

export interface PreparedStage {
  plans: StepPlan[]
  /** The environment of all steps. The environment of a single step wins. */
  environment: Readonly<Record<string, EnvironmentValue>>
  secrets: MaskedSecret[]
}

/**
 * Variables that are known only when a step starts. They stay in place for the step's shell and for
 * the expansion of `environment`; Drone makes them empty.
 */
const ofTheStep = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'DRONE_WORKSPACE', 'DRONE_HOME'].map((name) => [name, `\${${name}}`]),
)

/**
 * Turns the text of the configuration file into the steps of this stage (docs/api §7.6, point 5).
 * Throws `ConfigError`.
 */
export async function prepareStage(
  files: Pick<PipelineFiles, 'prepare'>,
  context: StageContext,
  now: number,
): Promise<PreparedStage> {
  const { build, stage, repo, system } = context
  const { steps, environment, secrets } = await files.prepare(repo.id, {
    text: context.config,
    stage: stage.name,
    variables: { ...ofTheStep, ...substitutionVariables({ system, repo, build, stage, now }) },
    input: {
      branch: build.target,
      event: build.event,
      action: build.action,
      ref: build.ref,
      repo: repo.slug,
      target: build.deploy_to ?? '',
      cron: build.cron ?? '',
      instance: system.host,
    },
  })
  return { plans: steps, environment, secrets: stageSecrets(context, secrets) }
}

/** The first report of a step (docs/api §7.6, point 6). */
export const plannedStep = (plan: StepPlan, stageId: number): Step => ({
  id: 0,
  step_id: stageId,
  number: plan.number,
  name: plan.name,
  status: 'pending',
  exit_code: 0,
  version: 0,
  ...(plan.errignore && { errignore: true }),
  ...(plan.detached && { detached: true }),
  ...(plan.dependsOn.length > 0 && { depends_on: [...plan.dependsOn] }),
})
