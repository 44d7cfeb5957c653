/**
 * Maps our states to those of forges. A declined or canceled build is never a success: branch rules
 * must not pass.
 */
import type { StatusState } from '../driver.ts'

export const commitStates = {
  pending: 'pending',
  blocked: 'pending',
  running: 'pending',
  success: 'success',
  skipped: 'success',
  failure: 'failure',
  error: 'error',
  killed: 'error',
  declined: 'error',
} as const satisfies Record<StatusState, string>

export const gitlabStates = {
  pending: 'pending',
  blocked: 'pending',
  running: 'running',
  success: 'success',
  skipped: 'success',
  failure: 'failed',
  error: 'failed',
  killed: 'canceled',
  declined: 'failed',
} as const satisfies Record<StatusState, string>

export const deploymentStates = {
  pending: 'queued',
  blocked: 'queued',
  running: 'in_progress',
  success: 'success',
  skipped: 'inactive',
  failure: 'failure',
  error: 'error',
  killed: 'error',
  declined: 'error',
} as const satisfies Record<StatusState, string>
