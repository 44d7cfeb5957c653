/** Environments of a repository: their deployments, their rules, and what differs between them. Only our own server has them. */
import type { EnvironmentRule } from '@flightdeck/api'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'

import type { Action } from './action.ts'
import type { RepoAddress } from './actions/builds.ts'
import { keyOf } from './keys.ts'
import { ownClient, ownQueryOf } from './own-client.ts'
import { queryClient } from './query-client.ts'

/** `version`: of its newest deployment, which is another one after each change. */
export const environmentQuery = ({ namespace, name }: RepoAddress, environment: string, version: number) =>
  infiniteQueryOptions({
    queryKey: [...keyOf('getEnvironment', namespace, name, environment), version],
    queryFn: ({ pageParam: before }) => ownClient.getEnvironment(namespace, name, environment, { before }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** `from`, `to`: full shas. Two commits differ in the same forever. */
export const comparisonQuery = ({ namespace, name }: RepoAddress, from: string, to: string) => ({
  ...ownQueryOf('getComparison', namespace, name, { from, to }),
  staleTime: 600_000,
})

const refresh = ({ namespace, name }: RepoAddress): void => {
  void queryClient.invalidateQueries({ queryKey: keyOf('listEnvironmentRules', namespace, name) })
  void queryClient.invalidateQueries({ queryKey: ['getEnvironment', namespace, name] })
}

/** A rule that asks for nothing is no rule. */
const isOpen = ({ who, approval }: EnvironmentRule): boolean => who === 'writers' && !approval

export const saveEnvironmentRule = (repo: RepoAddress): Action<EnvironmentRule, unknown> => ({
  name: 'protect',
  subject: `environments of ${repo.namespace}/${repo.name}`,
  async send(rule) {
    const { who, people = [], approval } = rule
    if (isOpen(rule)) await ownClient.deleteEnvironmentRule(repo.namespace, repo.name, rule.name)
    else {
      const body = { who, people: people.join(' '), approval }
      await ownClient.setEnvironmentRule(repo.namespace, repo.name, rule.name, body)
    }
  },
  learn: () => refresh(repo),
  done: 'Changes have been saved',
  failed: 'Unable to save changes',
})
