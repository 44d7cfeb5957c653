import type { SecretInput } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { addSecret } from '../../api/actions/entries.ts'
import type { SecretsOf } from '../../api/actions/entries.ts'
import { queryOf } from '../../api/queries.ts'
import { useStore } from '../../browser/store.ts'
import { draftsOf } from './drafts.ts'
import { secretNameError, secretValueError } from './names.ts'
import { keepTyped } from './typed.ts'
import { Button } from '../../ui/button.tsx'
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts'
import { SwitchField } from '../../ui/switch-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

const empty = { name: '', data: '', pull_request: false }
const drafts = draftsOf(empty)

/**
 * The existing name that the server considers equal: for an organization, case is ignored (docs/api
 * §2.7).
 */
const useTaken = ({ namespace, name }: SecretsOf, newName: string): string | undefined => {
  const own = useQuery({ ...queryOf('listSecrets', namespace, name ?? ''), enabled: name !== undefined })
  const shared = useQuery({ ...queryOf('listOrgSecrets', namespace), enabled: name === undefined })
  const known = (name === undefined ? shared : own).data ?? []
  const fold = (text = '') => (name === undefined ? text.toLowerCase() : text)
  return known.find((secret) => fold(secret.name) === fold(newName))?.name
}

/** Checked with the server's rules before it is sent; typed text stays if the server refuses. */
export function SecretForm(props: SecretsOf) {
  const draft = drafts(`${props.namespace}/${props.name ?? ''}`)
  const { set: setSecret } = draft
  const secret = useStore(draft)
  const [checked, setChecked] = useState(false)
  // Runs even if the user has left the page: saved values are no longer a draft.
  const updateCache = (_: unknown, sent: SecretInput) => {
    const typed = draft.get()
    const name = typed.name.trim() === sent.name ? typed.name : sent.name
    setSecret(keepTyped(typed, { ...sent, name }, empty))
  }
  const { run, pending, busy } = useAction({ ...addSecret(props), updateCache }, () => setChecked(false))
  const taken = useTaken(props, secret.name.trim())
  const nameError = taken ? `A secret named ${taken} already exists` : secretNameError(secret.name.trim())
  const valueError = secretValueError(secret.data)
  return (
    <form
      noValidate
      autoComplete="off"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        focusFirstInvalid(event.currentTarget, () => setChecked(true))
        if (nameError || valueError) return
        run({ ...secret, name: secret.name.trim() })
      }}
    >
      <TextField
        className="max-w-110"
        label="Name"
        mono
        spellCheck={false}
        value={secret.name}
        onChange={(name) => setSecret({ ...secret, name })}
        error={checked ? nameError : undefined}
        help="Letters, digits, dash, underscore and dot."
      />
      <TextField
        label="Value"
        mono
        multiline
        spellCheck={false}
        value={secret.data}
        onChange={(data) => setSecret({ ...secret, data })}
        error={checked ? valueError : undefined}
        help="You won’t be able to see it again."
      />
      <SwitchField
        label="Allow pull requests"
        checked={secret.pull_request}
        onChange={(pull_request) => setSecret({ ...secret, pull_request })}
        help="Pull-request builds get this value. Anyone who can open a pull request can print it."
      />
      <div>
        <Button type="submit" variant="primary" busy={pending} disabled={busy}>
          Add secret
        </Button>
      </div>
    </form>
  )
}
