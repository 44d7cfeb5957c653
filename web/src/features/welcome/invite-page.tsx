import { useQuery } from '@tanstack/react-query'

import { fixedQueryOf } from '../../api/own-client.ts'
import { useAction } from '../../api/action.ts'
import { takeInvitation } from '../../api/actions/people.ts'
import { errorText, isStatus } from '../../api/query-client.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { useAddress } from '../../browser/navigation.tsx'
import { AbsoluteTime } from '../../ui/relative-time.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { NewPassword, usePassword } from '../common/new-password.tsx'
import { EntryLayout } from './entry-layout.tsx'

function PasswordForm({ value, login, expires }: { value: string; login: string; expires: number }) {
  const next = usePassword()
  // A full page load that replaces this entry: the previous session has ended, and going Back here
  // would be useless.
  const { run, pending, refusal } = useAction(takeInvitation(value), () => location.replace(paths.home))
  if (isStatus(refusal?.error, 404)) return <NotValid />
  return (
    <EntryLayout title="Choose your password">
      <p className="text-muted">
        You were invited as <strong className="font-medium text-ink">{login}</strong>. This link works once, until{' '}
        <AbsoluteTime seconds={expires} />.
      </p>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (next.check()) run(next.password)
        }}
      >
        <TextField label="Username" readOnly autoComplete="username" value={login} onChange={() => undefined} />
        <NewPassword {...next} />
        {refusal && (
          <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger">
            {refusal.reason}
          </p>
        )}
        <Button type="submit" variant="primary" busy={pending}>
          Set password and sign in
        </Button>
      </form>
    </EntryLayout>
  )
}

function NotValid() {
  return (
    <EntryLayout title="This invitation is no longer valid">
      <p className="text-muted">
        It was already used, was replaced, or expired after 24 hours. Ask the administrator who sent it for a new one.
      </p>
      <LinkButton href={paths.welcome}>Go to the sign-in page</LinkButton>
    </EntryLayout>
  )
}

function Invited({ value }: { value: string }) {
  const { data, error, refetch, isFetching } = useQuery(fixedQueryOf('findInvitation', { invitation: value }))
  if (data) return <PasswordForm value={value} {...data} />
  if (isStatus(error, 400, 404, 405)) return <NotValid />
  if (error) {
    return (
      <ErrorState
        message={`The invitation could not be loaded: ${errorText(error)}`}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <EntryLayout title="Choose your password">
      <LoadingText />
      <Skeleton className="h-60" />
    </EntryLayout>
  )
}

/**
 * `/login/invite#VALUE`: the value is in the fragment, so that it never reaches a server or a proxy
 * log.
 */
export function InvitePage() {
  const value = useAddress().hash.replace(/^#/, '')
  useTitle('Invitation')
  return value ? <Invited key={value} value={value} /> : <NotValid />
}
