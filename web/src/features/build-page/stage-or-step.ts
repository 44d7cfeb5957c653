/**
 * A stage of a build, or a step of one, as the URL of a build page names it, and which of them to
 * show first.
 */
import { isDone, type Build, type Stage, type Step } from '@flightdeck/api'

import { failingSteps, type FailingStep } from './failing-step.ts'
import { isExpandable } from './stage-rules.ts'

export interface StageOrStep {
  stage: number
  /** Undefined for a whole stage; its URL means step 1. */
  step?: number
}

export const isSameStep = (a: StageOrStep, b: StageOrStep): boolean =>
  a.stage === b.stage && (a.step ?? 1) === (b.step ?? 1)

const numbersOf = ({ stage, step }: { stage: Stage; step?: Step | undefined }): StageOrStep =>
  step ? { stage: stage.number, step: step.number } : { stage: stage.number }

/** The stage or step that a URL of this build names. `home`: the build's own path. */
export const stepInPath = (pathname: string, home: string): StageOrStep | undefined => {
  if (!pathname.startsWith(`${home}/`)) return undefined
  const [stage, step] = pathname
    .slice(home.length + 1)
    .split('/')
    .map(Number)
  return stage ? { stage, ...(step && { step }) } : undefined
}

const inOrder = <T extends { number: number }>(items: readonly T[] | undefined): T[] =>
  (items ?? []).toSorted((a, b) => a.number - b.number)

/** A service runs alongside the other steps and says nothing about the stage's progress. */
const isAtWork = (step: Step): boolean => step.status === 'running' && !step.detached

const atWorkIn = (stage: Stage): StageOrStep | undefined => {
  const step = inOrder(stage.steps).find(isAtWork)
  return step && numbersOf({ stage, step })
}

const killedIn = (stage: Stage): StageOrStep | undefined => {
  const step = inOrder(stage.steps).find(({ status }) => status === 'killed')
  return step && numbersOf({ stage, step })
}

const firstOf = (
  stages: readonly Stage[],
  find: (stage: Stage) => StageOrStep | undefined,
): StageOrStep | undefined => {
  for (const stage of stages) {
    const found = find(stage)
    if (found) return found
  }
  return undefined
}

/**
 * The end of a successful build: its last step, even if it was too quick to be seen running. Times
 * are whole seconds.
 */
const lastEnded = (stages: readonly Stage[]): StageOrStep | undefined => {
  let last: { stage: Stage; step: Step } | undefined
  for (const stage of stages) {
    for (const step of inOrder(stage.steps)) {
      const ran = !step.detached && (step.stopped ?? 0) > 0 && step.status !== 'skipped'
      if (ran && (step.stopped ?? 0) >= (last?.step.stopped ?? 0)) last = { stage, step }
    }
  }
  return last && numbersOf(last)
}

/**
 * The step is running, is the one that failed, or the stage awaits approval: following the build
 * keeps showing it.
 */
const holds = (build: Build, at: StageOrStep, failing: readonly FailingStep[]): boolean => {
  const stage = build.stages?.find(({ number }) => number === at.stage)
  const step = stage?.steps?.find(({ number }) => number === (at.step ?? 1))
  if (step && isAtWork(step)) return true
  if (failing.some((failingStep) => isSameStep(numbersOf(failingStep), at))) return true
  // The user may be about to click the buttons of this approval.
  return stage?.status === 'blocked' && !isDone(build.status)
}

/**
 * The position to show while following the build: the step that failed first, else a running one,
 * else the stage that awaits approval, else the canceled step, else the last step of a successful
 * build. `at`: the current position; a step stays shown until it ends, even if another one fails or
 * runs meanwhile, and between two steps. Undefined if there is none; then the URL decides.
 */
export const stepToShow = (build: Build, at?: StageOrStep): StageOrStep | undefined => {
  const failing = failingSteps(build)
  if (at && holds(build, at, failing)) return at
  const [first] = failing
  if (first) return numbersOf(first)
  const stages = inOrder(build.stages)
  const current = at && stages.find(({ number }) => number === at.stage)
  const atWork = (current && atWorkIn(current)) ?? firstOf(stages, atWorkIn)
  if (atWork) return atWork
  const waits = stages.some(({ status }) => status === 'running')
    ? undefined
    : stages.find(({ status }) => status === 'blocked')
  if (waits && !isDone(build.status)) return numbersOf({ stage: waits })
  if (at && build.status === 'success') return lastEnded(stages) ?? at
  return at ?? firstOf(stages, killedIn)
}

/** All stages and steps that can be selected in the navigation, from top to bottom. */
export const listSteps = (build: Build): StageOrStep[] =>
  inOrder(build.stages).flatMap((stage) =>
    isExpandable(stage)
      ? inOrder(stage.steps)
          .filter(({ status }) => status !== 'skipped')
          .map((step) => numbersOf({ stage, step }))
      : [numbersOf({ stage })],
  )

/**
 * The next (1) or previous (-1) position; undefined at either end. Starts at the top if `at` is not
 * in the build.
 */
export const neighbourOf = (build: Build, at: StageOrStep, way: 1 | -1): StageOrStep | undefined => {
  const steps = listSteps(build)
  const index = steps.findIndex((step) => isSameStep(step, at))
  return index < 0 ? steps[0] : steps[index + way]
}

/**
 * The next (1) or previous (-1) failed step, wrapping around. Starts with the first or last one if
 * `at` is not a failed step.
 */
export const nextFailing = (failing: readonly FailingStep[], at: StageOrStep, way: 1 | -1): StageOrStep | undefined => {
  const steps = failing.map(numbersOf)
  const index = steps.findIndex((step) => isSameStep(step, at))
  return index < 0 ? steps.at(way === 1 ? 0 : -1) : steps.at((index + way) % steps.length)
}

/** Whether the step in the URL broke the build. */
export const isFailing = (failing: readonly FailingStep[], at: StageOrStep): boolean =>
  failing.some((failingStep) => isSameStep(numbersOf(failingStep), at))
