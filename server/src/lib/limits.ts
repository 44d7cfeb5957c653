/**
 * How much a writer may create (docs/limits.md). What lies beyond a limit since before there was
 * one keeps working, and can be changed and deleted.
 */
import { Refusal } from './refusal.ts'

export const limits = {
  /** Of a repository. */
  cronJobs: 100,
  /** Of a repository; also of a namespace. */
  secrets: 500,
  /** Of a repository: those with a rule. */
  environments: 100,
  /** Of a build. */
  parameters: 200,
  /** Characters of the names and values of a build's parameters. */
  parameterText: 100_000,
} as const

/** The maximum values of retention limits; 0 is no limit. */
export const retentionBounds = {
  build_days: 36_500,
  builds: 100_000_000,
  log_days: 36_500,
  log_mb: 100_000_000,
} as const

/** A 400 if there are `max` already. `what`: `secrets`, `of`: `repository`. */
export function checkCount(count: number, max: number, { what, of }: { what: string; of: string }): void {
  if (count >= max) throw new Refusal(400, `This ${of} has ${count} ${what}; the limit is ${max}. Delete one first`)
}

/** A 400 if a build cannot have these parameters. */
export function checkParameters(params: Readonly<Record<string, string>>): void {
  const entries = Object.entries(params)
  if (entries.length > limits.parameters) {
    throw new Refusal(400, `A build can have at most ${limits.parameters} parameters; these are ${entries.length}`)
  }
  const characters = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (characters > limits.parameterText) {
    throw new Refusal(
      400,
      `The parameters of a build can have at most ${limits.parameterText} characters; these have ${characters}`,
    )
  }
}
