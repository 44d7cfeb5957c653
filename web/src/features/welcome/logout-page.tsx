import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { EntryLayout } from './entry-layout.tsx'

export function LogoutPage() {
  useTitle('Signed out')
  return (
    <EntryLayout title="Signed out">
      <p className="text-muted">Your session has been successfully terminated.</p>
      <LinkButton href={paths.welcome} variant="primary">
        Sign in again
      </LinkButton>
    </EntryLayout>
  )
}
