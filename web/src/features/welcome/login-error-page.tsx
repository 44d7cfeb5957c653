import { useState } from 'react'

import { useSearchParams } from '../../browser/navigation.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { connectedForge } from '../../api/forge.ts'
import { EntryLayout } from './entry-layout.tsx'
import { explainRefusal } from './refusals.ts'
import { SignInForm } from './sign-in-form.tsx'
import { typedName } from './typed-name.ts'

/** Specification §8, "Page errors". */
const fallback = 'An error occured during login attempt, please, try again'

/** Shows the form again, with the typed name. */
export function LoginErrorPage() {
  const message = useSearchParams().get('message')?.trim() || fallback
  const [name] = useState(typedName)
  const explanation = explainRefusal(message, connectedForge())
  useTitle('Sign-in error')
  return (
    <EntryLayout title="Sign-in failed">
      <div role="alert" className="flex flex-col gap-1 rounded-md bg-danger-soft px-3 py-2 text-danger">
        <p className="wrap-anywhere">{message}</p>
        {explanation && <p>{explanation}</p>}
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
