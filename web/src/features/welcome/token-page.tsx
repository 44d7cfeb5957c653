import { useState } from 'react'

import { client } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { EntryLayout } from './entry-layout.tsx'
import { useFocusOnce } from './use-focus-once.ts'

/**
 * Used if signing in on the server itself would redirect to an origin other than this one. A native
 * form, as for passwords: the response is a redirect.
 */
export function TokenPage() {
  const [token, setToken] = useState('')
  // Focused on load: users come here to paste.
  const form = useFocusOnce('token')
  useTitle('Sign in with a token')
  return (
    <EntryLayout title="Sign in with a token">
      <p className="text-muted">
        Copy your token from Drone’s account page. It is stored encrypted in a cookie in this browser until you sign
        out.
      </p>
      <form ref={form} method="post" action={client.url('/login/token')} className="flex flex-col gap-4">
        <TextField label="Token" name="token" type="password" autoComplete="off" value={token} onChange={setToken} />
        <Button type="submit" variant="primary">
          Sign in
        </Button>
      </form>
    </EntryLayout>
  )
}
