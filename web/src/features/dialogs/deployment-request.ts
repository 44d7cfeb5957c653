import type { Deployment } from '../../api/actions/builds.ts'
import { parseParams, type Param } from './params.ts'

/** The initial values of a deployment dialog. */
export interface DeploymentRequest {
  action: Deployment['action']
  target: string
  parameters: Param[]
}

/**
 * Parses the URL that opens the dialog: `?action=promote&target=ENV&parameters=[{"key","value"}]`
 * (docs/api §2.10).
 */
export const deploymentRequest = (search: URLSearchParams): DeploymentRequest | undefined => {
  const action = search.get('action')
  if (action !== 'promote' && action !== 'rollback') return undefined
  return {
    action,
    target: search.get('target') ?? '',
    parameters: parseParams(search.get('parameters') ?? undefined),
  }
}
