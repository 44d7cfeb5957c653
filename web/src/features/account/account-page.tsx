import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'

import { client, serverOrigin } from '../../api/client.ts'
import { tokenQuery } from '../../api/queries.ts'
import { failedRead } from '../../api/query-client.ts'
import { isOwnServer, useMe } from '../../api/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageBody, PageHeader } from '../../ui/page-header.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { PasswordSection } from './password-section.tsx'
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

/** Specification §2, "Account page". */
export function AccountPage() {
  const user = useMe()
  const { data, error, refetch, isFetching } = useQuery(tokenQuery())
  useTitle('Account Settings')
  return (
    <>
      <PageHeader
        title="Account Settings"
        actions={
          <LinkButton external href={client.url('/logout')}>
            <LogOut className="size-4" aria-hidden="true" />
            Logout
          </LinkButton>
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
        {data ? (
          <Snippets token={data.token} />
        ) : error ? (
          <ErrorState {...failedRead('Your token', { error, isFetching, refetch })} />
        ) : (
          <SnippetsSkeleton />
        )}
        {data && isOwnServer(user) && <TokenSection />}
        {user?.has_password && <PasswordSection login={user.login} />}
      </PageBody>
    </>
  )
}
