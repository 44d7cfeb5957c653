/** Validates a runner's reports about a stage and its steps, which are untrusted. */
import type { Stage, Step } from '@flightdeck/api'
import type { Card } from '../../interfaces/runner.ts'
import { maxSteps } from '../step-limits.ts'
import { checkStatus } from '../step-report.ts'
import { Refusal } from '../../lib/refusal.ts'

const maxDependencies = 2_000
const maxNameLength = 250
const maxDependencyText = 4_000
/** Labels decide which runner takes a stage, and no runner has as many. */
const maxLabelText = 4_000
const maxTextLength = 2_000

const refuse = (what: string): never => {
  throw new Refusal(400, `Invalid ${what}`)
}
const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && value >= min && value <= max

function checkCommon(
  report: Pick<Stage & Step, 'status' | 'exit_code'> & { started?: number; stopped?: number },
): void {
  checkStatus(report.status)
  // Windows has codes above 2 ** 31.
  if (!isWhole(report.exit_code, -(2 ** 31), 2 ** 32 - 1)) refuse('exit code')
  // Until the year 2286: clocks of other machines may be wrong, but not that wrong.
  if (!isWhole(report.started ?? 0, 0, 9_999_999_999)) refuse('start time')
  if (!isWhole(report.stopped ?? 0, 0, 9_999_999_999)) refuse('stop time')
}

function checkNames(names: readonly string[] | undefined): void {
  if (!names) return
  if (names.length > maxDependencies || names.some((name) => name.length > maxNameLength)) refuse('dependencies')
}

/**
 * It becomes an address that a browser loads. A runner may leave it out; `POST …/cards` may not.
 */
function checkSchema(schema = ''): void {
  if (schema && (schema.length > maxTextLength || !/^https?:\/\//i.test(schema))) refuse('schema')
}

export function checkCard({ schema }: Pick<Card, 'schema'>): void {
  checkSchema(schema)
}

export function checkStep(step: Step): void {
  checkCommon(step)
  if (!isWhole(step.number, 0, 100_000)) refuse('step number')
  if (step.name.length > maxNameLength) refuse('step name')
  if ((step.image ?? '').length > maxTextLength) refuse('image')
  checkSchema(step.schema)
  checkNames(step.depends_on)
}

export function checkStage(stage: Stage): void {
  checkCommon(stage)
  checkNames(stage.depends_on)
  if (
    Object.entries(stage.labels ?? {})
      .flat()
      .join('').length > maxLabelText
  )
    refuse('labels')
  for (const text of [stage.os, stage.arch, stage.variant, stage.kernel]) {
    if ((text ?? '').length > maxNameLength) refuse('platform')
  }
  const steps = stage.steps ?? []
  if (steps.length > maxSteps) refuse('number of steps')
  for (const step of steps) {
    checkStep(step)
    if (step.number === 0 || step.name === '') refuse('step')
  }
  if (new Set(steps.map((step) => step.number)).size !== steps.length) refuse('step numbers')
}

export function checkMachine(machine: string): void {
  if (machine === '' || machine.length > maxNameLength || /\p{Cc}/u.test(machine)) refuse('machine')
}

/** A runner repeats what a stage depends on. A build's page has these names of all stages. */
export function checkDependencies(reported: readonly string[] = [], known: readonly string[] = []): void {
  if (reported.join('').length > Math.max(maxDependencyText, known.join('').length)) refuse('dependencies')
}
