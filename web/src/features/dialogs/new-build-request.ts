import { parseParams, type Param } from './params.ts'

/** The initial values of the dialog for a new build. */
export interface NewBuildRequest {
  branch: string
  commit: string
  parameters: Param[]
}

/**
 * Parses the URL that opens the dialog, like a deployment's: `?action=build`, `target=BRANCH`,
 * `parameters=[{"key","value"}]` and `commit`. `branch` is the branch selected on other pages, such
 * as step durations.
 */
export const newBuildRequest = (search: URLSearchParams): NewBuildRequest | undefined => {
  const branch = search.get('target') ?? ''
  const parameters = parseParams(search.get('parameters') ?? undefined)
  const commit = search.get('commit') ?? ''
  if (branch === '' && commit === '' && parameters.length === 0 && search.get('action') !== 'build') return undefined
  return { branch, commit, parameters }
}
