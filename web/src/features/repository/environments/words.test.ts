import type { Build, Comparison, EnvironmentRule } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { deployedBy, deploymentName, distanceWords, ruleWords } from './words.ts'

const build = (more: Partial<Build>): Build => ({ number: 9, event: 'promote', ...more }) as Build

test('a deployment names its kind, its build and its author', () => {
  expect(deployedBy(build({ parent: 3, actor: 'ada' }))).toBe('Promoted from #3 by ada')
  expect(deployedBy(build({ event: 'rollback', parent: 3, trigger: 'bob' }))).toBe('Rolled back from #3 by bob')
  expect(deployedBy(build({ trigger: '@hook' }))).toBe('Promoted')
})

test('the newest deployment of another environment is named with its status, because it can have failed', () => {
  expect(deploymentName(build({ deploy_to: 'staging', status: 'failure' }))).toBe('staging #9 (failure)')
  expect(deploymentName(build({ deploy_to: 'staging', status: 'waiting_on_dependencies' }))).toBe(
    'staging #9 (waiting on dependencies)',
  )
})

test('a rule names the people who can deploy', () => {
  const words = (rule: Partial<EnvironmentRule>) =>
    ruleWords({ name: 'production', who: 'writers', approval: false, ...rule })
  expect(words({ approval: true })).toBe('Anyone with write permission can deploy. Each deployment requires approval.')
  expect(words({ who: 'administrators' })).toBe('Only repository administrators can deploy.')
  expect(words({ who: 'people', people: ['ada', 'bob', 'cleo'] })).toBe('Only ada, bob and cleo can deploy.')
  expect(words({ who: 'people', people: ['ada'] })).toBe('Only ada can deploy.')
})

test('a difference says which commits are missing on either side', () => {
  const names = { environment: 'production', other: 'main' }
  const words = (more: Partial<Comparison>) => distanceWords({ from: 'a', to: 'b', ...more }, names)
  const commit = { sha: 'c', title: 't', author: 'Ada', time: 1, files: [] }
  expect(words({ commits: [] })).toEqual([])
  expect(words({ commits: [commit] })).toEqual(['1 commit of main is not in production.'])
  expect(words({ commits: [commit, commit], more: true, without: 1 })).toEqual([
    'More than 2 commits of main are not in production.',
    '1 commit of production is not in main.',
  ])
})
