import { isDone, isFailed, type Step } from '@flightdeck/api'
import { untilAborted } from '../lib/abort.ts'
import type { StepPlan } from '../pipeline/steps.ts'
import { earlyExit, runStep, type StageRun } from './run-step.ts'

/** Why a stage ends before its own result. */
export type StopReason = 'cancelled' | 'timeout' | 'stopped'

export interface StageSteps {
  plans: readonly StepPlan[]
  /** The steps as the manager returned them, with their ids. */
  steps: Step[]
}

/** Returns a promise and the function that resolves it. */
function createDeferred() {
  let resolve = () => {}
  const promise = new Promise<void>((fulfill) => {
    resolve = fulfill
  })
  return { promise, resolve }
}

/**
 * Runs the steps of a stage, each as soon as its dependencies are done; resolves when all are.
 * Results are written to `steps` (docs/api §5.7).
 */
export async function runSteps(run: StageRun, { plans, steps }: StageSteps, signal: AbortSignal): Promise<void> {
  const done = new Map(plans.map((plan) => [plan.name, createDeferred()]))
  // Detached steps run until all others are done.
  const attachedAreOver = new AbortController()
  const detached: Promise<void>[] = []
  let endedEarly = false

  const stepOf = (plan: StepPlan): Step => {
    const step = steps.find(({ number }) => number === plan.number)
    if (!step) throw new Error(`the manager knows no step ${plan.number}`)
    return step
  }
  /** Reports a change to the manager, and stores the step that it returns. */
  async function report(plan: StepPlan, change: Partial<Step>): Promise<Step> {
    const answer = await run.manager.updateStep({ ...stepOf(plan), ...change })
    steps[steps.findIndex(({ number }) => number === plan.number)] = answer
    return answer
  }
  function store(plan: StepPlan, change: Partial<Step>): void {
    steps[steps.findIndex(({ number }) => number === plan.number)] = { ...stepOf(plan), ...change }
  }

  const isLast = (plan: StepPlan): boolean =>
    steps.every(({ number, status }) => number === plan.number || isDone(status))

  async function attached(plan: StepPlan): Promise<void> {
    const running = await report(plan, { status: 'running', started: run.now() })
    const result = await runStep(run, plan, running, signal)
    if (result.exit_code === earlyExit) endedEarly = true
    const change = { ...result, stopped: run.now() }
    // A result that ends the stage is reported together with the stage right after, which saves a
    // transaction.
    if (result.status === 'killed' || isLast(plan)) store(plan, change)
    else await report(plan, change)
  }

  async function detach(plan: StepPlan): Promise<void> {
    const running = await report(plan, { status: 'running', started: run.now(), detached: true })
    const end = AbortSignal.any([signal, attachedAreOver.signal])
    const over = runStep(run, plan, running, end).then(async (result) => {
      // The exit code of a detached step does not count. The step ends with the stage.
      await untilAborted(end)
      const change = result.status === 'error' ? result : { status: 'success' as const, exit_code: 0 }
      if (signal.aborted) store(plan, { status: 'killed', exit_code: 137, stopped: run.now() })
      else await report(plan, { ...change, stopped: run.now() })
    })
    // Awaited when the other steps are done; until then an early rejection must not count as
    // unhandled.
    over.catch(() => {})
    detached.push(over)
  }

  async function start(plan: StepPlan): Promise<void> {
    for (const name of plan.dependsOn) await done.get(name)?.promise
    if (signal.aborted) return
    const failing = isFailing(steps)
    if (endedEarly || !(failing ? plan.runs.onFailure : plan.runs.onSuccess)) {
      const now = run.now()
      await report(plan, { status: 'skipped', started: now, stopped: now })
    } else if (plan.detached) await detach(plan)
    else await attached(plan)
  }

  // All steps run to their end even if reporting one fails, so that no step runs unsupervised.
  const outcomes = await Promise.allSettled(
    plans.map((plan) => start(plan).finally(() => done.get(plan.name)?.resolve())),
  )
  attachedAreOver.abort()
  outcomes.push(...(await Promise.allSettled(detached)))
  if (signal.aborted) skipUnfinished(steps, run.now())
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed && !signal.aborted) throw failed.reason
}

const isFailing = (steps: readonly Step[]): boolean =>
  steps.some((step) => isFailed(step.status) && !(step.status === 'failure' && step.errignore))

/** docs/api §5.7 "timeout": steps that have not started are skipped, even with `when: failure`. */
function skipUnfinished(steps: Step[], now: number): void {
  for (const [index, step] of steps.entries()) {
    if (step.status === 'running') steps[index] = { ...step, status: 'killed', exit_code: 137, stopped: now }
    else if (!isDone(step.status)) steps[index] = { ...step, status: 'skipped', started: now, stopped: now }
  }
}
