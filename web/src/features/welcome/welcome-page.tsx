import { client } from '../../api/client.ts'
import { sessionHasEnded } from '../../api/person.ts'
import { addressToReturnTo } from '../../api/return-address.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { EntryLayout } from './entry-layout.tsx'

/** A note after a session has ended, with a link to sign in again. */
function SignedOutNote() {
  const address = addressToReturnTo()
  return (
    <p role="status" className="rounded-md bg-warning-soft px-3 py-2 text-warning">
      You are signed out.
      {address && (
        <>
          {' Sign in to continue where you left off: '}
          {/* A full page load, which checks who is signed in. */}
          <a href={address} className="break-words underline">
            {address}
          </a>
        </>
      )}
    </p>
  )
}

/**
 * The landing page to sign in or sign up; the server responds to Continue and redirects to the
 * source-control system.
 */
export function WelcomePage() {
  useTitle('Welcome')
  return (
    <EntryLayout title="Welcome to Flightdeck">
      {sessionHasEnded() && <SignedOutNote />}
      <p className="text-muted">Sign in to see your repositories and builds.</p>
      <LinkButton external href={client.url('/login')} variant="primary">
        Continue
      </LinkButton>
    </EntryLayout>
  )
}
