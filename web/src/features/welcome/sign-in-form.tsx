import { useState } from 'react'

import { client } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useFocusOnce } from './use-focus-once.ts'
import { keepTypedName } from './typed-name.ts'

/**
 * A native form: the server responds to the POST with a redirect (specification §2, docs/api §3.4).
 * It is focused on load, since users come here to type. `name` is the name typed before.
 */
export function SignInForm({ name = '' }: { name?: string }) {
  const [username, setUsername] = useState(name)
  const [password, setPassword] = useState('')
  const form = useFocusOnce(name === '' ? 'username' : 'password')
  return (
    <form
      ref={form}
      method="post"
      action={client.url('/login')}
      className="flex flex-col gap-4"
      onSubmit={() => keepTypedName(username)}
    >
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
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
  )
}
