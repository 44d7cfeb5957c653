import type { Status, Step } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { isBlocked, isExpandable, isStageWaiting, mustHaveEnded } from './stage-rules.ts'

const steps = [{ id: 1, step_id: 1, number: 1, name: 'a', status: 'success', exit_code: 0, version: 1 } as const]

test('[S2.build.22] which stages can be expanded', () => {
  for (const status of ['success', 'failure', 'error', 'killed', 'running', 'declined'] as const)
    expect(isExpandable({ status, steps })).toBe(true)
  for (const status of ['skipped', 'blocked', 'pending', 'waiting_on_dependencies'] as const)
    expect(isExpandable({ status, steps })).toBe(false)
  expect(isExpandable({ status: 'success', steps: [] })).toBe(false)
  expect(isExpandable({ status: 'success' })).toBe(false)
})

test('[S4.states.19] blocked is the current stage of a pending build', () => {
  expect(isBlocked({ status: 'pending' }, { status: 'blocked' })).toBe(true)
  expect(isBlocked({ status: 'running' }, { status: 'blocked' })).toBe(false)
  expect(isBlocked({ status: 'pending' }, { status: 'pending' })).toBe(false)
  expect(isBlocked({ status: 'pending' }, undefined)).toBe(false)
})

test('a blocked stage of a running build waits for its own approval', () => {
  expect(isStageWaiting({ status: 'running' }, { status: 'blocked' })).toBe(true)
  expect(isStageWaiting({ status: 'pending' }, { status: 'blocked' })).toBe(false)
  expect(isStageWaiting({ status: 'declined' }, { status: 'blocked' })).toBe(false)
  expect(isStageWaiting({ status: 'running' }, { status: 'running' })).toBe(false)
  expect(isStageWaiting({ status: 'running' }, undefined)).toBe(false)
})

const step = (status: Status, detached?: boolean) => ({ status, ...(detached && { detached }) }) as Step

test('a stage reported as running has ended once its steps have, whether or not services are running', () => {
  const ended = (...of: Step[]) => mustHaveEnded({ status: 'running', steps: of })
  expect(ended(step('success'), step('failure'), step('skipped'))).toBe(true)
  expect(ended(step('success'), step('running', true), step('success'))).toBe(true)
  expect(ended(step('success'), step('running', true), step('running'))).toBe(false)
  expect(ended(step('success'), step('running', true), step('pending'))).toBe(false)
  expect(ended(step('success'), step('pending', true))).toBe(false)
  // Services alone say nothing about the stage's progress.
  expect(ended(step('running', true))).toBe(false)
  expect(ended()).toBe(false)
  expect(mustHaveEnded({ status: 'running' })).toBe(false)
  expect(mustHaveEnded({ status: 'success', steps: [step('success')] })).toBe(false)
})
