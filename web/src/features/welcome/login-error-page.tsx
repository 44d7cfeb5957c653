import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { useSearchParams } from '../../browser/navigation.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { EntryLayout } from './entry-layout.tsx'

/** Specification §8, "Page errors". */
const fallback = 'An error occured during login attempt, please, try again'

export function LoginErrorPage() {
  const message = useSearchParams().get('message')?.trim()
  useTitle('Sign-in error')
  return (
    <EntryLayout title="You are not signed in">
      <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger">
        {message || fallback}
      </p>
      <LinkButton href={paths.welcome} variant="primary">
        Try again
      </LinkButton>
    </EntryLayout>
  )
}
