import type { Step } from '@flightdeck/api'
import { substitutionVariables } from '../../pipeline/environment.ts'
import { lintExec } from '../../pipeline/lint-exec.ts'
import type { MaskedSecret } from '../../pipeline/mask.ts'
import { ConfigError, parsePipelines } from '../../pipeline/parse.ts'
import { stageName } from '../../pipeline/doc.ts'
import { planSteps, type StepPlan } from '../../pipeline/steps.ts'
import { substitute } from '../../pipeline/substitute.ts'
import type { StageContext } from '../types.ts'
import { stageSecrets } from './secrets.ts'

export interface PreparedStage {
  plans: StepPlan[]
  secrets: MaskedSecret[]
}

/** From the text of the file to the steps of this stage (wire.md §7.6, point 5). Throws `ConfigError`. */
export function prepareStage(context: StageContext, now: number): PreparedStage {
  const { build, stage, repo, system } = context
  const text = substitute(context.config, substitutionVariables({ system, repo, build, stage, now }))
  const file = parsePipelines(text)
  const doc = file.pipelines.find((candidate) => candidate.type === 'exec' && stageName(candidate) === stage.name)
  if (!doc) throw new ConfigError('resource not found')
  lintExec(doc)
  const plans = planSteps(doc, {
    branch: build.target,
    event: build.event,
    action: build.action,
    ref: build.ref,
    repo: repo.slug,
    target: build.deploy_to ?? '',
    cron: build.cron ?? '',
    instance: system.host,
  })
  return { plans, secrets: stageSecrets(context, file.secrets) }
}

/** A step as it is first told (wire.md §7.6, point 6). */
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
