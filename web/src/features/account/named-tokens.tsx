import type { AccessToken, CreatedAccessToken } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'

import { ownQueryOf } from '../../api/own-client.ts'
import { useAction } from '../../api/action.ts'
import { createAccessToken, revokeAccessToken } from '../../api/own-account.ts'
import { nowSeconds } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ListRow, RemoteList } from '../common/remote-list.tsx'
import { Section } from '../common/section.tsx'
import { Expiry } from './expiry.tsx'
import { Snippet } from './snippet.tsx'

const daySeconds = 86_400
const expiries = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '0', label: 'No expiry' },
]
const askRevoke = (name: string) =>
  confirm({
    title: `Are you sure you want to revoke ${name}?`,
    action: 'Revoke token',
    description: 'Scripts that use this token stop working immediately.',
    danger: true,
  })

function TokenRow({ token, onRevoked }: { token: AccessToken; onRevoked: () => void }) {
  const { run, busy } = useAction(revokeAccessToken(token), onRevoked)
  const press = async () => {
    if (await askRevoke(token.name)) run()
  }
  return (
    <ListRow
      action={
        <IconButton label={`Revoke ${token.name}`} hint="Revoke" side="left" busy={busy} onClick={() => void press()}>
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
      }
    >
      <span className="min-w-0 basis-full font-medium wrap-anywhere md:basis-56">{token.name}</span>
      <span className="flex flex-wrap gap-x-4 text-sm text-muted">
        <span>
          Last used: <RelativeTime seconds={token.last_used} />
        </span>
        <Expiry seconds={token.expires} />
      </span>
    </ListRow>
  )
}

function TokenForm({ onCreated }: { onCreated: (created: CreatedAccessToken) => void }) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [checked, setChecked] = useState(false)
  const { run, pending, refusal } = useAction(createAccessToken(onCreated), () => {
    setName('')
    setChecked(false)
  })
  const trimmedName = name.trim()
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        focusFirstInvalid(event.currentTarget, () => setChecked(true))
        const expires = days === '0' ? 0 : nowSeconds() + Number(days) * daySeconds
        if (trimmedName) run({ name: trimmedName, expires })
      }}
    >
      <div className="flex flex-wrap items-start gap-4">
        <TextField
          className="min-w-0 basis-64"
          label="Token name"
          value={name}
          onChange={setName}
          help="What the token is for, such as “deploy script”."
          error={
            checked && !trimmedName
              ? 'A name is required'
              : refusal?.input.name === trimmedName
                ? refusal.reason
                : undefined
          }
        />
        <SelectField className="basis-40" label="Expiry" value={days} options={expiries} onChange={setDays} />
      </div>
      <div>
        <Button type="submit" busy={pending}>
          Create token
        </Button>
      </div>
    </form>
  )
}

/** Tokens in addition to the personal one: one for each script, with an expiry date. */
export function NamedTokens() {
  const query = useQuery(ownQueryOf('listAccessTokens'))
  const [created, setCreated] = useState<CreatedAccessToken>()
  const discard = (id: number) => () => setCreated((shown) => (shown?.id === id ? undefined : shown))
  return (
    <Section
      title="Named tokens"
      about="They work wherever your personal token does. You can revoke each one separately."
    >
      <div className="max-w-4xl">
        <RemoteList query={query} what="tokens" hint="Create the first token below.">
          {(token) => <TokenRow key={token.id} token={token} onRevoked={discard(token.id)} />}
        </RemoteList>
      </div>
      <div role="status" className="empty:hidden">
        {created && (
          <div className="flex flex-col gap-2">
            <Snippet title={`Token ${created.name}`} label={`Copy token ${created.name}`} text={created.token} />
            <p className="text-muted">Copy it now. You won’t be able to see it again.</p>
          </div>
        )}
      </div>
      <TokenForm onCreated={setCreated} />
    </Section>
  )
}
