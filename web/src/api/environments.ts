/** Environments of a repository: their deployments, their rules, and what differs between them. Only our own server has them. */
import type { Comparison, Environment, EnvironmentRule } from '@flightdeck/api'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'

import { paths } from '../lib/paths.ts'
import type { Action } from './action.ts'
import type { RepoAddress } from './actions/builds.ts'
import { ask, isRecord, read } from './own.ts'
import { queryClient } from './query-client.ts'

const base = ({ namespace, name }: RepoAddress): string => `/api/repos${paths.repo(namespace, name)}`
const pathOf = (repo: RepoAddress, environment: string): string =>
  `${base(repo)}/environments/${encodeURIComponent(environment)}`

/** `version`: of its newest deployment, which is another one after each change. */
export const environmentQuery = (repo: RepoAddress, environment: string, version: number) =>
  infiniteQueryOptions({
    queryKey: ['environment', repo.namespace, repo.name, environment, version],
    queryFn: ({ pageParam }) =>
      read<Environment>(
        `${pathOf(repo, environment)}${pageParam === undefined ? '' : `?before=${pageParam}`}`,
        ({ items, may_deploy: mayDeploy }) => Array.isArray(items) && typeof mayDeploy === 'boolean',
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** `to`: a full sha. Two commits differ in the same forever. */
export const comparisonQuery = (repo: RepoAddress, from: string, to: string) =>
  queryOptions({
    queryKey: ['compare', repo.namespace, repo.name, from, to],
    queryFn: () =>
      read<Comparison>(
        `${base(repo)}/compare?from=${from}&to=${to}`,
        ({ commits, files }) =>
          (commits === undefined || Array.isArray(commits)) && (files === undefined || Array.isArray(files)),
      ),
    staleTime: 600_000,
  })

export const environmentRulesQuery = ({ namespace, name }: RepoAddress) =>
  queryOptions({
    queryKey: ['environment rules', namespace, name],
    queryFn: async (): Promise<EnvironmentRule[]> => {
      const answer = await ask('GET', `${base({ namespace, name })}/environments`)
      return Array.isArray(answer) ? answer.filter((rule): rule is EnvironmentRule => isRecord(rule)) : []
    },
  })

const refresh = (repo: RepoAddress): void => {
  void queryClient.invalidateQueries({ queryKey: environmentRulesQuery(repo).queryKey })
  void queryClient.invalidateQueries({ queryKey: ['environment', repo.namespace, repo.name] })
}

/** A rule that asks for nothing is no rule. */
const isOpen = ({ who, approval }: EnvironmentRule): boolean => who === 'writers' && !approval

export const saveEnvironmentRule = (repo: RepoAddress): Action<EnvironmentRule, unknown> => ({
  name: 'protect',
  subject: `environments of ${repo.namespace}/${repo.name}`,
  send: (rule) =>
    isOpen(rule)
      ? ask('DELETE', pathOf(repo, rule.name))
      : ask('PUT', pathOf(repo, rule.name), {
          body: { who: rule.who, people: (rule.people ?? []).join(' '), approval: rule.approval },
        }),
  learn: () => refresh(repo),
  done: 'Changes have been saved',
  failed: 'Unable to save changes',
})
