import type { Secret } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'

import { useAction } from '../../api/action.ts'
import { removeSecret } from '../../api/actions/entries.ts'
import { queryOf } from '../../api/queries.ts'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { useRepo } from '../../api/use-repo.ts'
import type { SettingsPageProps } from './page-props.ts'
import { ListRow, RemoteList } from './remote-list.tsx'
import { SecretForm } from './secret-form.tsx'
import { Section } from './section.tsx'

function SecretRow({ secret, repo }: { secret: Secret; repo: SettingsPageProps }) {
  const name = secret.name ?? ''
  const { run, busy } = useAction(removeSecret(repo, name))
  const ask = async () => {
    const yes = await confirm({
      title: 'Are you sure you want to delete this secret?',
      action: 'Delete secret',
      description: `Pipelines that use ${name} will no longer get its value.`,
      danger: true,
    })
    if (yes) run()
  }
  return (
    <ListRow
      action={
        <IconButton label={`Delete secret ${name}`} hint="Delete" side="left" busy={busy} onClick={() => void ask()}>
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
      }
    >
      <code className="min-w-0 font-mono text-base">{name}</code>
      {secret.pull_request && <Chip>pull requests</Chip>}
    </ListRow>
  )
}

/** Specification §2 "Repository settings", Secrets. Values are never shown: the server does not give them back. */
export function SecretsPage({ namespace, name }: SettingsPageProps) {
  const repo = useRepo(namespace, name)
  const query = useQuery(queryOf('listSecrets', namespace, name))
  useTitle(`Secrets – ${repo.slug}`)
  return (
    <>
      <Section title="Secrets" about="Values that pipelines can use without showing them.">
        <RemoteList query={query} what="secrets" hint="Add the first secret below.">
          {(secret) => <SecretRow key={secret.name} secret={secret} repo={{ namespace, name }} />}
        </RemoteList>
      </Section>
      {/* Below a list of unknown length it would jump when the list comes. */}
      {!query.isPending && (
        <Section title="New secret">
          <SecretForm namespace={namespace} name={name} />
        </Section>
      )}
    </>
  )
}
