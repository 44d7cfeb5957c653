import { client } from '../../api/client.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { EntryLayout } from './entry-layout.tsx'

/** Landing page to sign in or sign up; Continue is answered by the server, which hands off to the source-control system. */
export function WelcomePage() {
  useTitle('Welcome')
  return (
    <EntryLayout title="Welcome to Flightdeck">
      <p className="text-muted">
        Your builds, as they happen. Sign in or sign up to see your repositories; you may be asked for permission at
        your source-control system.
      </p>
      <LinkButton external href={client.url('/login')} variant="primary">
        Continue
      </LinkButton>
    </EntryLayout>
  )
}
