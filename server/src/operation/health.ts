/**
 * Runs the health checks. Anyone can request them at any rate, so results are cached briefly and a
 * check never runs twice at the same time.
 */
import type { CheckResult, Health } from '../interfaces/health.ts'
import { publicMessage, withoutPaths } from '../lib/public-text.ts'

export interface HealthCheck {
  name: string
  /** How long a result is cached, in milliseconds. */
  maxAgeMs: number
  /** Returns the problem in one sentence, or `null`. A thrown error is reported as well. */
  check: () => Promise<string | null> | string | null
}

interface Options {
  version: string
  /** Milliseconds after which a check counts as failing. */
  timeoutMs?: number
}

const defaultTimeoutMs = 3_000

export function createHealth(
  checks: readonly HealthCheck[],
  { version, timeoutMs = defaultTimeoutMs }: Options,
): Health {
  const runs = checks.map((check) => ({ name: check.name, run: createRun(check, timeoutMs) }))
  return {
    async report(exclude = []) {
      const counted = runs.filter(({ name }) => !exclude.includes(name))
      const results = await Promise.all(counted.map(async ({ name, run }) => [name, resultOf(await run())] as const))
      const problems = results.flatMap(([, { message }]) => message ?? [])
      return {
        state: problems.length > 0 ? 'failing' : 'ok',
        version,
        problems,
        checks: Object.fromEntries(results),
      }
    },
  }
}

const resultOf = (problem: string | null): CheckResult =>
  problem === null ? { state: 'ok' } : { state: 'failing', message: withoutPaths(problem) }

function createRun({ name, maxAgeMs, check }: HealthCheck, timeoutMs: number): () => Promise<string | null> {
  let last: { problem: string | null; atMs: number } | undefined
  let running: Promise<string | null> | undefined

  async function runCheck(): Promise<string | null> {
    let problem: string | null
    try {
      problem = await check()
    } catch (error) {
      problem = `The check of the ${name} failed: ${publicMessage(error)}`
    }
    last = { problem, atMs: performance.now() }
    running = undefined
    return problem
  }

  return async () => {
    if (last && !running && performance.now() - last.atMs < maxAgeMs) return last.problem
    running ??= runCheck()
    return withTimeout(running, timeoutMs, `The check of the ${name} timed out after ${timeoutMs / 1000} seconds`)
  }
}

async function withTimeout<T>(work: Promise<T>, ms: number, fallback: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(fallback), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
