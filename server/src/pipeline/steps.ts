/** Plans the steps of an exec stage and their order (docs/api §5.7, §6.4). */
import { matchWhen, stepRunPolicy } from './conditions.ts'
import type { BuildInput, RunPolicy } from './conditions.ts'
import { checkDependencies } from './dependencies.ts'
import { stageName } from './doc.ts'
import type { EnvironmentValue, PipelineDoc, StepDoc } from './doc.ts'

export interface StepPlan {
  /** One-based number within the stage. */
  number: number
  name: string
  /** Empty for the clone step, whose commands the runner provides. */
  isClone: boolean
  /** Clone step only: the number of commits to fetch; 0 for all. */
  depth: number
  commands: readonly string[]
  /** The step's own environment, which overrides that of the pipeline. */
  environment: Readonly<Record<string, EnvironmentValue>>
  /**
   * Names of planned steps that must have finished (a detached step: started) before this step
   * starts.
   */
  dependsOn: readonly string[]
  errignore: boolean
  detached: boolean
  runs: RunPolicy
}

const clone = (number: number, depth: number): StepPlan => ({
  number,
  name: 'clone',
  isClone: true,
  depth,
  commands: [],
  environment: {},
  dependsOn: [],
  errignore: false,
  detached: false,
  runs: { onSuccess: true, onFailure: true },
})

/** The dependencies of a step. A step excluded by `when` is replaced by its own dependencies. */
const graphDependencies = (doc: PipelineDoc, included: ReadonlySet<StepDoc>): ((step: StepDoc) => string[]) => {
  const byName = new Map(doc.steps.map((step) => [step.name, step]))
  const roots = doc.clone.disable ? [] : ['clone']
  const byStep = new Map<StepDoc, Set<string>>()
  const collect = (step: StepDoc): Set<string> => {
    const before = byStep.get(step)
    if (before) return before
    const result = new Set<string>(step.depends_on.length === 0 ? roots : [])
    // Set first, so that a cycle, which `lintExec` refuses, cannot cause endless recursion.
    byStep.set(step, result)
    for (const name of step.depends_on) {
      const dependency = byName.get(name)
      if (!dependency) {
        if (name === 'clone' && !doc.clone.disable) result.add(name)
      } else if (included.has(dependency)) result.add(name)
      else for (const inherited of collect(dependency)) result.add(inherited)
    }
    return result
  }
  return (step) => [...collect(step)]
}

/**
 * Expects a doc that passed `lintExec`. Omits steps excluded by a `when` condition other than
 * status.
 */
export const planSteps = (doc: PipelineDoc, input: BuildInput & { instance?: string }): StepPlan[] => {
  const included = doc.steps.filter((step) => matchWhen(step.when, input))
  const isGraph = doc.steps.some((step) => step.depends_on.length > 0)
  const fromGraph = graphDependencies(doc, new Set(included))
  const plans = doc.clone.disable ? [] : [clone(1, doc.clone.depth)]
  for (const step of included) {
    const previous = plans.at(-1)
    plans.push({
      number: plans.length + 1,
      name: step.name,
      isClone: false,
      depth: 0,
      commands: step.commands,
      environment: step.environment,
      dependsOn: isGraph ? fromGraph(step) : previous ? [previous.name] : [],
      errignore: step.failure.toLowerCase() === 'ignore',
      detached: step.detach,
      runs: stepRunPolicy(step.when.status),
    })
  }
  // Replacing excluded steps can add dependencies beyond those in the file.
  checkDependencies(
    `the steps of pipeline "${stageName(doc)}"`,
    plans.map((plan) => plan.dependsOn),
  )
  return plans
}
