import { LogIn } from 'lucide-react'

import { rememberAddress } from '../../api/return-address.ts'
import { useMe } from '../../api/session.ts'
import { useAddress, useNavigation } from '../../browser/navigation.tsx'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'

/**
 * For guests on a public repository: replaces actions that need an account. After signing in, the
 * user returns to this page.
 */
export function SignInButton() {
  const { pathname, search, hash } = useAddress()
  const { navigate } = useNavigation()
  if (useMe()) return null
  return (
    <Button
      onClick={() => {
        rememberAddress(`${pathname}${search}${hash}`)
        navigate(paths.welcome)
      }}
    >
      <LogIn className="size-4" aria-hidden="true" />
      Sign in
    </Button>
  )
}
