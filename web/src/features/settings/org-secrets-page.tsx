import { useQuery } from '@tanstack/react-query'

import { queryOf } from '../../api/queries.ts'
import { useTitle } from '../../browser/use-title.ts'
import { useRepo } from '../../api/use-repo.ts'
import { NotFound } from '../common/not-found.tsx'
import type { SettingsPageProps } from './page-props.ts'
import { SecretsList } from './secrets-list.tsx'
import { useMayKeepOrgSecrets } from './use-access.ts'

function OrgSecrets({ namespace }: { namespace: string }) {
  const query = useQuery(queryOf('listOrgSecrets', namespace))
  return (
    <SecretsList
      of={{ namespace }}
      title="Organization secrets"
      about={`Available to all pipelines in ${namespace}. A repository secret with the same name takes precedence.`}
      query={query}
    />
  )
}

/** Secrets of the namespace, if the user can manage them. */
export function OrgSecretsPage({ namespace, name }: SettingsPageProps) {
  const repo = useRepo(namespace, name)
  useTitle(`Organization secrets – ${repo.slug}`)
  return useMayKeepOrgSecrets({ namespace, name }) ? <OrgSecrets namespace={namespace} /> : <NotFound />
}
