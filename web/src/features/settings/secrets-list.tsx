import type { Secret } from '@flightdeck/api'
import type { UseQueryResult } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'

import { useAction } from '../../api/action.ts'
import { removeSecret, type SecretsOf } from '../../api/actions/entries.ts'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListRow, RemoteList } from './remote-list.tsx'
import { SecretForm } from './secret-form.tsx'
import { Section } from './section.tsx'

function SecretRow({ secret, of }: { secret: Secret; of: SecretsOf }) {
  const name = secret.name ?? ''
  const { run, busy } = useAction(removeSecret(of, name))
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

interface SecretsListProps {
  of: SecretsOf
  title: string
  about: string
  query: UseQueryResult<Secret[]>
}

/** A list of secrets and the form for one more. Values are never shown: the server does not give them back. */
export function SecretsList({ of, title, about, query }: SecretsListProps) {
  return (
    <>
      <Section title={title} about={about}>
        <RemoteList query={query} what="secrets" hint="Add the first secret below.">
          {(secret) => <SecretRow key={secret.name} secret={secret} of={of} />}
        </RemoteList>
      </Section>
      {/* Below a list of unknown length it would jump when the list comes. */}
      {!query.isPending && (
        <Section title="New secret">
          <SecretForm {...of} />
        </Section>
      )}
    </>
  )
}
