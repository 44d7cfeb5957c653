import { useState } from 'react'

import { useSearchParams } from '../../browser/navigation.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { EntryLayout } from './entry-layout.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { typedName } from './typed-name.ts'

/** Specification §8, "Page errors". */
const fallback = 'An error occured during login attempt, please, try again'

/** Drone's word for a name and a password that do not belong together says nothing of what to do. */
const explained: Record<string, string> = { Unauthorized: 'Wrong username or password.' }

/** Whoever came from the form goes on in the form, with the name that was typed. */
export function LoginErrorPage() {
  const message = useSearchParams().get('message')?.trim() || fallback
  const [name] = useState(typedName)
  useTitle('Sign-in error')
  return (
    <EntryLayout title="Sign-in failed">
      <div role="alert" className="flex flex-col gap-1 rounded-md bg-danger-soft px-3 py-2 text-danger">
        <p>{message}</p>
        {explained[message] !== undefined && <p>{explained[message]}</p>}
      </div>
      {name ? (
        <SignInForm name={name} />
      ) : (
        <LinkButton href={paths.welcome} variant="primary">
          Try again
        </LinkButton>
      )}
    </EntryLayout>
  )
}
