import type { Secret } from '@flightdeck/api'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { removeSecret } from '../../api/actions/entries.ts'
import type { SecretsOf } from '../../api/actions/entries.ts'
import { Chip } from '../../ui/chip.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ListRow } from '../common/remote-list.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { Overrides, SecretUse } from './secret-facts.tsx'

function LastChange({ secret: { updated, updated_by } }: { secret: Secret }) {
  if (updated === undefined) return null
  return (
    <span>
      Changed <RelativeTime seconds={updated} />
      {updated_by && ` by ${updated_by}`}
    </span>
  )
}

/**
 * One secret, with its last change and the pipelines that use it or the repositories that override
 * it.
 */
export function SecretRow({ secret, of }: { secret: Secret; of: SecretsOf }) {
  const name = secret.name ?? ''
  const [editing, setEditing] = useState(false)
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
        <div className="flex shrink-0">
          <IconButton label={`Edit secret ${name}`} hint="Edit" side="left" onClick={() => setEditing(true)}>
            <Pencil className="size-4" aria-hidden="true" />
          </IconButton>
          <IconButton label={`Delete secret ${name}`} hint="Delete" side="left" busy={busy} onClick={() => void ask()}>
            <Trash2 className="size-4" aria-hidden="true" />
          </IconButton>
        </div>
      }
    >
      <code className="min-w-0 font-mono text-base wrap-anywhere">{name}</code>
      {secret.pull_request && <Chip>pull requests</Chip>}
      <span className="flex basis-full flex-wrap gap-x-3 text-sm text-muted">
        <LastChange secret={secret} />
        {of.name === undefined ? (
          <Overrides secret={secret} />
        ) : (
          <SecretUse namespace={of.namespace} name={of.name} secret={name} />
        )}
      </span>
      <SecretDialog open={editing} secret={secret} of={of} onClose={() => setEditing(false)} />
    </ListRow>
  )
}
