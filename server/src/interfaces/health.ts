/** Whether this server can do its work, as `/readyz` answers it. */

export interface HealthReport {
  state: 'ok' | 'failing'
  version: string
  /** One sentence for each check that fails; empty when all is well. */
  problems: string[]
  /** By the name of the check. */
  checks: Record<string, CheckResult>
}

export interface CheckResult {
  state: 'ok' | 'failing'
  /** What is wrong. */
  message?: string
}

export interface Health {
  /**
   * Runs the checks, or answers their results of a moment ago. `exclude`: names of checks that do
   * not count.
   */
  report(exclude?: readonly string[]): Promise<HealthReport>
}
