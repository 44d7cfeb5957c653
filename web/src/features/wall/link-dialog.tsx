import type { CreatedWallLink } from '@flightdeck/api'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { createWallLink } from '../../api/own-account.ts'
import { paths } from '../../lib/paths.ts'
import { plural } from '../../lib/text.ts'
import { nowSeconds } from '../../lib/time.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

const daySeconds = 86_400
const expiries = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '0', label: 'No expiry' },
]
const addressId = 'wall-link-address'

export interface LinkDialogProps {
  /** Slugs. */
  repos: readonly string[]
  onClose: () => void
}

function Created({ token }: CreatedWallLink) {
  const address = `${location.origin}${paths.wall}#${token}`
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start gap-3 rounded-lg border border-line bg-raised p-3">
        <code id={addressId} className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">
          {address}
        </code>
        <CopyButton text={address} textId={addressId} label="Copy link" copiedLabel="Copied" />
      </div>
      <p className="text-muted">
        Copy it now. You won’t be able to see it again. You can revoke it in your{' '}
        <Link href={paths.account} className="underline">
          account
        </Link>
        .
      </p>
    </div>
  )
}

/** Creates a link to this wall for a screen without an account; its value is shown once. */
export function LinkDialog({ repos, onClose }: LinkDialogProps) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [checked, setChecked] = useState(false)
  const [created, setCreated] = useState<CreatedWallLink>()
  const { run, pending, refusal } = useAction(createWallLink(setCreated))
  const trimmedName = name.trim()
  const create = (): void => {
    setChecked(true)
    const expires = days === '0' ? 0 : nowSeconds() + Number(days) * daySeconds
    if (trimmedName) run({ name: trimmedName, expires, repos: [...repos] })
  }
  const error =
    checked && !trimmedName ? 'A name is required' : refusal?.input.name === trimmedName ? refusal.reason : undefined
  return (
    <Dialog
      open
      onClose={onClose}
      precious={created !== undefined}
      title="Create a link to this wall"
      description={`Anyone with the link can see the latest builds of ${plural(repos.length, 'repository', 'repositories')}, without signing in, as long as you can read them.`}
      footer={
        created ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" busy={pending} onClick={create}>
              Create link
            </Button>
          </>
        )
      }
    >
      {created ? (
        <Created {...created} />
      ) : (
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            create()
          }}
        >
          <TextField
            label="Link name"
            value={name}
            onChange={setName}
            help="Where the screen is, such as “Kitchen”."
            error={error}
          />
          <SelectField label="Expiry" value={days} options={expiries} onChange={setDays} />
        </form>
      )}
    </Dialog>
  )
}
