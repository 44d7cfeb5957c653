import type { Secret, SecretUses } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { ownQueryOf } from '../../api/own-client.ts'
import { queryOf } from '../../api/queries.ts'
import { useCapability } from '../../api/capabilities.ts'
import { paths } from '../../lib/paths.ts'
import { Chip } from '../../ui/chip.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { SettingsPageProps } from './page-props.ts'
import { Section } from '../common/section.tsx'
import { useMayKeepOrgSecrets } from './use-access.ts'

const isSame = (secret: Secret, other: string): boolean => secret.name?.toLowerCase() === other.toLowerCase()

/** Runners ignore the case of names (docs/api §2.7). */
const pipelinesOf = (uses: SecretUses, name: string): string[] =>
  [
    ...new Set(
      uses.uses.filter((use) => use.name.toLowerCase() === name.toLowerCase()).flatMap((use) => use.pipelines),
    ),
  ].toSorted()

/** Which pipelines use a secret, by the newest build of the default branch. Flightdeck only. */
export function SecretUse({ namespace, name, secret }: SettingsPageProps & { secret: string }) {
  const own = useCapability('secret_uses')
  const { data, isLoading } = useQuery({ ...ownQueryOf('getSecretUses', namespace, name), enabled: own })
  // The line keeps its height until the response arrives.
  if (isLoading) return <span aria-hidden="true">&nbsp;</span>
  if (data?.build === undefined) return null
  const pipelines = pipelinesOf(data, secret)
  const build = (
    <Link className="underline underline-offset-2 hover:text-ink" href={paths.build(namespace, name, data.build)}>
      build #{data.build}
    </Link>
  )
  return pipelines.length === 0 ? (
    <span>Not used by {build}</span>
  ) : (
    <span>
      Used by {pipelines.length === 1 ? 'pipeline' : 'pipelines'} {pipelines.join(', ')} in {build}
    </span>
  )
}

function Inherited({ namespace, name, own }: SettingsPageProps & { own: readonly Secret[] }) {
  const { data = [] } = useQuery(queryOf('listOrgSecrets', namespace))
  if (data.length === 0) return null
  return (
    <Section
      title="Organization secrets"
      about={`Builds of this repository can also use these. A secret above with the same name takes precedence.`}
    >
      <ul className="overflow-hidden rounded-lg border border-line bg-surface">
        {data.map((secret) => (
          <li
            key={secret.name}
            className="flex min-h-(--row) flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-(--row-space) last:border-b-0"
          >
            <code className="min-w-0 font-mono text-base wrap-anywhere">{secret.name}</code>
            {secret.pull_request && <Chip>pull requests</Chip>}
            {own.some((other) => isSame(other, secret.name ?? '')) && <Chip>overridden by this repository</Chip>}
            {secret.updated !== undefined && (
              <span className="basis-full text-sm text-muted">
                Changed <RelativeTime seconds={secret.updated} />
                {secret.updated_by && ` by ${secret.updated_by}`}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p>
        <Link className="text-accent hover:underline" href={paths.orgSecrets(namespace, name)}>
          Manage organization secrets
        </Link>
      </p>
    </Section>
  )
}

/** The organization's secrets next to those of the repository, if the user can see them. */
export function InheritedSecrets(props: SettingsPageProps & { own: readonly Secret[] }) {
  return useMayKeepOrgSecrets(props) ? <Inherited {...props} /> : null
}

/** The repositories whose own secret overrides the organization's. */
export function Overrides({ secret: { overridden_in: slugs = [] } }: { secret: Secret }) {
  return slugs.length === 0 ? null : <span>Overridden in {slugs.join(', ')}</span>
}
