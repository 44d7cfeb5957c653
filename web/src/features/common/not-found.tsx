import { useMe } from '../../api/session.ts'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { useTitle } from '../../browser/use-title.ts'

/**
 * Specification §2, "Other": the text, and a Sign In button when a user is present, after the link
 * to the dashboard.
 */
export function NotFound() {
  const user = useMe()
  useTitle('Not Found')
  return (
    <div className="flex min-h-[60dvh] flex-col items-center justify-center gap-4 px-4 py-12 text-center">
      <p aria-hidden="true" className="font-mono text-2xl text-muted">
        404
      </p>
      <h1 className="text-xl font-semibold">Not Found</h1>
      <p className="max-w-110 text-muted">We are sorry, the resource you requested cannot be found.</p>
      <div className="flex gap-2">
        <LinkButton href={paths.home} variant="primary">
          Go to the dashboard
        </LinkButton>
        {user && <LinkButton href={paths.welcome}>Sign In</LinkButton>}
      </div>
    </div>
  )
}
