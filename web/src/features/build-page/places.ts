/** The places of a build page – a stage, or a step of one – and which of them is "where it happens". */
import { isDone, type Build, type Stage, type Step } from '@flightdeck/api'

import { failingSteps, type FailingStep } from './failing-step.ts'
import { isExpandable } from './stage-rules.ts'

export interface Place {
  stage: number
  /** Undefined for a whole stage; its URL means step 1. */
  step?: number
}

export const isSamePlace = (a: Place, b: Place): boolean => a.stage === b.stage && (a.step ?? 1) === (b.step ?? 1)

const placeOf = ({ stage, step }: { stage: Stage; step?: Step | undefined }): Place =>
  step ? { stage: stage.number, step: step.number } : { stage: stage.number }

/** The place that an address of this build names. `home`: the build's own address. */
export const placeIn = (pathname: string, home: string): Place | undefined => {
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

const atWorkIn = (stage: Stage): Place | undefined => {
  const step = inOrder(stage.steps).find(isAtWork)
  return step && placeOf({ stage, step })
}

const killedIn = (stage: Stage): Place | undefined => {
  const step = inOrder(stage.steps).find(({ status }) => status === 'killed')
  return step && placeOf({ stage, step })
}

const firstOf = (stages: readonly Stage[], find: (stage: Stage) => Place | undefined): Place | undefined => {
  for (const stage of stages) {
    const found = find(stage)
    if (found) return found
  }
  return undefined
}

/** The end of a green build: its last step, also one that was too quick to be seen running. Times are whole seconds. */
const lastEnded = (stages: readonly Stage[]): Place | undefined => {
  let last: { stage: Stage; step: Step } | undefined
  for (const stage of stages) {
    for (const step of inOrder(stage.steps)) {
      const ran = !step.detached && (step.stopped ?? 0) > 0 && step.status !== 'skipped'
      if (ran && (step.stopped ?? 0) >= (last?.step.stopped ?? 0)) last = { stage, step }
    }
  }
  return last && placeOf(last)
}

/** The step is running, is the one that failed, or the stage awaits approval: following the build keeps showing it. */
const holds = (build: Build, at: Place, failing: readonly FailingStep[]): boolean => {
  const stage = build.stages?.find(({ number }) => number === at.stage)
  const step = stage?.steps?.find(({ number }) => number === (at.step ?? 1))
  if (step && isAtWork(step)) return true
  if (failing.some((one) => isSamePlace(placeOf(one), at))) return true
  // The user may be about to click the buttons of this approval.
  return stage?.status === 'blocked' && !isDone(build.status)
}

/**
 * The position to show while following the build: the step that failed first, else a running one, else the stage that awaits
 * approval, else the canceled step, else the last step of a successful build. `at`: the current position; a step stays shown until
 * it ends, even if another one fails or runs meanwhile, and between two steps. Undefined if there is none; then the URL decides.
 */
export const whereItHappens = (build: Build, at?: Place): Place | undefined => {
  const failing = failingSteps(build)
  if (at && holds(build, at, failing)) return at
  const [first] = failing
  if (first) return placeOf(first)
  const stages = inOrder(build.stages)
  const here = at && stages.find(({ number }) => number === at.stage)
  const atWork = (here && atWorkIn(here)) ?? firstOf(stages, atWorkIn)
  if (atWork) return atWork
  const waits = stages.some(({ status }) => status === 'running')
    ? undefined
    : stages.find(({ status }) => status === 'blocked')
  if (waits && !isDone(build.status)) return placeOf({ stage: waits })
  if (at && build.status === 'success') return lastEnded(stages) ?? at
  return at ?? firstOf(stages, killedIn)
}

/** Everything that can be chosen in the navigation, from its top to its end. */
export const placesOf = (build: Build): Place[] =>
  inOrder(build.stages).flatMap((stage) =>
    isExpandable(stage)
      ? inOrder(stage.steps)
          .filter(({ status }) => status !== 'skipped')
          .map((step) => placeOf({ stage, step }))
      : [placeOf({ stage })],
  )

/** The next (1) or previous (-1) position; undefined at either end. Starts at the top if `at` is not in the build. */
export const neighbourOf = (build: Build, at: Place, way: 1 | -1): Place | undefined => {
  const places = placesOf(build)
  const index = places.findIndex((place) => isSamePlace(place, at))
  return index < 0 ? places[0] : places[index + way]
}

/** The next (1) or previous (-1) failed step, wrapping around. Starts with the first or last one if `at` is not a failed step. */
export const nextFailing = (failing: readonly FailingStep[], at: Place, way: 1 | -1): Place | undefined => {
  const places = failing.map(placeOf)
  const index = places.findIndex((place) => isSamePlace(place, at))
  return index < 0 ? places.at(way === 1 ? 0 : -1) : places.at((index + way) % places.length)
}

/** The step of the address broke the build. */
export const isFailing = (failing: readonly FailingStep[], at: Place): boolean =>
  failing.some((one) => isSamePlace(placeOf(one), at))
