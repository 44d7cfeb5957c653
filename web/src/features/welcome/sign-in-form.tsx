import { useState } from 'react'

import { client } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useFocusOnce } from './use-focus-once.ts'
import { keepTypedName } from './typed-name.ts'

/**
 * A native form: the server answers the POST with a redirect (specification §2, docs/api §3.4). The page is this form: whoever
 * comes here comes to type. `name` is what was typed before.
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
