/**
 * Suggestions for form fields: what a repository has built, newest first. If the request fails,
 * there are none.
 */
import type { Build } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { queryOf } from './queries.ts'

const newestNames = (
  builds: readonly Build[] | undefined,
  of: (build: Build) => string | undefined,
  first?: string,
) => {
  const newest = (builds ?? []).toSorted((a, b) => b.created - a.created)
  return [...new Set([first, ...newest.map(of)].flatMap((name) => name || []))]
}

/** The default branch, then all branches with builds. */
export function useBranchNames(namespace: string, name: string): readonly string[] {
  const { data: repo } = useQuery(queryOf('getRepo', namespace, name))
  const { data } = useQuery(queryOf('listBranches', namespace, name))
  return newestNames(data, (build) => build.target, repo?.default_branch)
}

/** The targets of earlier deployments. */
export function useTargetNames(namespace: string, name: string): readonly string[] {
  const { data } = useQuery(queryOf('listDeployments', namespace, name))
  return newestNames(data, (build) => build.deploy_to)
}
