import { useQuery } from '@tanstack/react-query'

import { queryOf } from '../../api/queries.ts'
import { useTitle } from '../../browser/use-title.ts'
import { useRepo } from '../../api/use-repo.ts'
import type { SettingsPageProps } from './page-props.ts'
import { InheritedSecrets } from './secret-facts.tsx'
import { SecretsList } from './secrets-list.tsx'

/** Specification §2 "Repository settings", Secrets. */
export function SecretsPage({ namespace, name }: SettingsPageProps) {
  const repo = useRepo(namespace, name)
  const query = useQuery(queryOf('listSecrets', namespace, name))
  useTitle(`Secrets – ${repo.slug}`)
  return (
    <SecretsList
      of={{ namespace, name }}
      title="Secrets"
      about="Values for pipelines. They are masked in logs."
      query={query}
    >
      {query.data && <InheritedSecrets namespace={namespace} name={name} own={query.data} />}
    </SecretsList>
  )
}
