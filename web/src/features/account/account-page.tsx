import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'

import { useCapability } from '../../api/capabilities.ts'
import { client, serverOrigin } from '../../api/client.ts'
import { tokenQuery } from '../../api/queries.ts'
import { failedRead } from '../../api/query-client.ts'
import { useMe } from '../../api/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageBody, PageHeader } from '../../ui/page-header.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { DisplaySection } from './display-section.tsx'
import { NamedTokens } from './named-tokens.tsx'
import { WallLinks } from './wall-links.tsx'
import { PasswordSection } from './password-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { Snippet } from './snippet.tsx'
import { TokenSection } from './token-section.tsx'

function Snippets({ token }: { token: string }) {
  const server = serverOrigin()
  return (
    <>
      <Snippet title="Your personal token:" label="Copy token" text={token} />
      <Snippet
        title="Example API Usage:"
        label="Copy API example"
        text={`curl -i ${server}/api/user \\\n  -H "Authorization: Bearer ${token}"`}
      />
      <Snippet
        title="Example CLI Usage:"
        label="Copy CLI example"
        text={`export DRONE_SERVER=${server}\nexport DRONE_TOKEN=${token}\ndrone info`}
      />
    </>
  )
}

function SnippetsSkeleton() {
  return (
    <>
      <LoadingText text="Loading your token" />
      {['h-10', 'h-15', 'h-20'].map((height) => (
        <div key={height} className="flex flex-col gap-2">
          <Skeleton className="h-8 w-44" />
          <Skeleton className={height} />
        </div>
      ))}
    </>
  )
}

function Token() {
  const hasRotation = useCapability('token_rotation')
  const { data, error, refetch, isFetching } = useQuery(tokenQuery())
  if (!data && error) return <ErrorState {...failedRead('Your token', { error, isFetching, refetch })} />
  if (!data) return <SnippetsSkeleton />
  return (
    <>
      <Snippets token={data.token} />
      {hasRotation && <TokenSection />}
    </>
  )
}

/**
 * Specification §2, "Account page". With a single shared token there is no account, so nothing to
 * show and no way to sign out.
 */
export function AccountPage() {
  const user = useMe()
  const hasAccounts = useCapability('accounts')
  const hasTokens = useCapability('access_tokens')
  const hasSessions = useCapability('sessions')
  const hasWallLinks = useCapability('wall_links')
  useTitle('Account Settings')
  return (
    <>
      <PageHeader
        title="Account Settings"
        actions={
          user?.shared_token === undefined && (
            <LinkButton external href={client.url('/logout')}>
              <LogOut className="size-4" aria-hidden="true" />
              Logout
            </LinkButton>
          )
        }
      />
      <PageBody>
        {user && (
          <div className="flex items-center gap-3">
            <Avatar login={user.login} src={user.avatar} size={48} />
            <div className="min-w-0">
              <p className="truncate text-lg font-medium">{user.login}</p>
              <p className="truncate text-muted">{user.email || (user.admin ? 'Administrator' : 'User')}</p>
            </div>
          </div>
        )}
        {user?.shared_token === undefined ? (
          <Token />
        ) : (
          <p className="max-w-160 text-muted">
            Everyone who opens this address {user.shared_token === 'reads' ? 'reads' : 'acts'} as {user.login}. There is
            no sign-in, and the token is hidden.
          </p>
        )}
        <DisplaySection />
        {hasTokens && <NamedTokens />}
        {hasWallLinks && <WallLinks />}
        {hasSessions && <SessionsSection />}
        {hasAccounts && user?.has_password && <PasswordSection login={user.login} />}
      </PageBody>
    </>
  )
}
