/**
 * Environments of a repository: their deployments, their rules, and comparisons between them.
 * Flightdeck only.
 */
import type { Comparison, EnvironmentRule } from '@flightdeck/api'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'

import type { Action } from './action.ts'
import type { RepoAddress } from './actions/builds.ts'
import { keyOf } from './keys.ts'
import { ownClient, ownQueryOf } from './own-client.ts'

/** `version` changes with each new deployment of the environment. */
export const environmentQuery = ({ namespace, name }: RepoAddress, environment: string, version: number) =>
  infiniteQueryOptions({
    queryKey: [...keyOf('getEnvironment', namespace, name, environment), version],
    queryFn: ({ pageParam: before }) => ownClient.getEnvironment(namespace, name, environment, { before }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/**
 * `from`, `to`: full SHAs. A comparison never changes, so it is cached; an error, or one without
 * commits because git took too long, is refetched.
 */
export const comparisonQuery = ({ namespace, name }: RepoAddress, from: string, to: string) => ({
  ...ownQueryOf('getComparison', namespace, name, { from, to }),
  staleTime: ({ state }: { state: { data: Comparison | undefined } }) => (state.data?.commits ? 600_000 : 0),
  retryOnMount: true,
})

type RuleFields = Omit<EnvironmentRule, 'name'>

/** Whether the rule has no restrictions, which equals no rule. */
export const isOpenRule = ({ who, approval }: RuleFields): boolean => who === 'writers' && !approval

export const saveEnvironmentRule = (repo: RepoAddress, environment: string): Action<RuleFields, unknown> => ({
  name: 'protect',
  subject: `environments of ${repo.namespace}/${repo.name}`,
  async send(rule) {
    const { who, people = [], approval } = rule
    if (isOpenRule(rule)) return ownClient.deleteEnvironmentRule(repo.namespace, repo.name, environment)
    const body = { who, people: people.join(' '), approval }
    return ownClient.setEnvironmentRule(repo.namespace, repo.name, environment, body)
  },
  stale: [
    keyOf('listEnvironmentRules', repo.namespace, repo.name),
    keyOf('getEnvironment', repo.namespace, repo.name, environment),
  ],
  done: 'Changes have been saved',
  failed: 'Unable to save changes',
})
