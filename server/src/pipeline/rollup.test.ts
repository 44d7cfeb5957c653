import type { Status } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'
import { stageResult } from './rollup.ts'

const step = (number: number, status: Status, more: { errignore?: boolean; error?: string } = {}) => ({
  number,
  status,
  exit_code: status === 'failure' ? 3 : 0,
  ...more,
})

describe('stageResult', () => {
  it('is a success of successes, skipped and ignored steps', () => {
    expect(stageResult([step(1, 'success'), step(2, 'skipped'), step(3, 'failure', { errignore: true })])).toEqual({
      status: 'success',
      exit_code: 0,
    })
    expect(stageResult([])).toEqual({ status: 'success', exit_code: 0 })
  })
  it('is decided by the first in number order, and never has the exit code of the step', () => {
    expect(stageResult([step(2, 'killed'), step(1, 'failure')])).toEqual({ status: 'failure', exit_code: 0 })
    expect(stageResult([step(1, 'success'), step(2, 'killed'), step(3, 'error')])).toEqual({
      status: 'killed',
      exit_code: 137,
    })
  })
  it('copies the error of a step, even of an ignored one', () => {
    expect(stageResult([step(1, 'error', { error: 'no shell', errignore: true })])).toEqual({
      status: 'error',
      exit_code: 255,
      error: 'no shell',
    })
  })
})
