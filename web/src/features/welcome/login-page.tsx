import { useState } from 'react'

import { client } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { EntryLayout } from './entry-layout.tsx'

/** A native form: the server answers the POST with a redirect (specification §2, docs/api §3.4). */
export function LoginPage() {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  useTitle('Sign in')
  return (
    <EntryLayout title="Sign in">
      <form method="post" action={client.url('/login')} className="flex flex-col gap-4">
        <TextField
          label="Username"
          name="username"
          autoComplete="username"
          // The page is this form: whoever comes here comes to type.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          spellCheck={false}
          value={username}
          onChange={setUsername}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <Button type="submit" variant="primary">
          Sign in
        </Button>
      </form>
    </EntryLayout>
  )
}
