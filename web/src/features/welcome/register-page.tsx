import { useState } from 'react'

import { useAction } from '../../api/action.ts'
import { setEmail } from '../../api/actions/people.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useNavigation } from '../../browser/navigation.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { EntryLayout } from './entry-layout.tsx'

/**
 * Drone redirects users without a known email address here after signing in (docs/api §3.5). The
 * address is optional.
 */
export function RegisterPage() {
  const [email, setTyped] = useState('')
  const { navigate } = useNavigation()
  const { run, pending, refusal } = useAction(setEmail, () => navigate(paths.home, { replace: true }))
  useTitle('Register')
  return (
    <EntryLayout title="You are signed in">
      <p className="text-muted">Add your email address. Only administrators can see it.</p>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          run(email.trim())
        }}
      >
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          value={email}
          onChange={setTyped}
          error={refusal?.reason}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" busy={pending} disabled={email.trim() === ''}>
            Save
          </Button>
          <LinkButton href={paths.home}>Not now</LinkButton>
        </div>
      </form>
    </EntryLayout>
  )
}
