import type { User } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'

import { failedRead } from '../../api/query-client.ts'
import { usersQuery } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageBody, PageHeader } from '../../ui/page-header.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { InvitationDialog, type NewInvitation } from './invitation-dialog.tsx'
import { TokenDialog, type NewToken } from './token-dialog.tsx'
import { useResetPassword } from './use-reset-password.ts'
import { UsersList, type UserActions } from './users-list.tsx'
import { UsersSkeleton } from './users-skeleton.tsx'

function UsersBody(actions: UserActions) {
  const { data, error, refetch, isFetching } = useQuery(usersQuery())
  if (!data && error) {
    return <ErrorState {...failedRead('The users', { error, isFetching, refetch })} />
  }
  if (!data) return <UsersSkeleton />
  if (data.length === 0) return <EmptyState title="It looks a little empty here!" message="Create the first user." />
  return <UsersList users={data} {...actions} />
}

/** Specification §2 "User management". Who may come here is decided by the application's guard. */
export function UsersPage() {
  const [creating, setCreating] = useState(false)
  const [editing, setEditing] = useState<User>()
  const [token, setToken] = useState<NewToken>()
  const [invitation, setInvitation] = useState<NewInvitation>()
  const resetPassword = useResetPassword(setInvitation)
  useTitle('Users')
  return (
    <>
      <PageHeader
        title="Users"
        actions={
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus className="size-4" aria-hidden="true" />
            New user
          </Button>
        }
      />
      <PageBody>
        <UsersBody onEdit={setEditing} onReset={(login) => void resetPassword(login)} />
      </PageBody>
      <CreateUserDialog
        open={creating}
        onClose={() => setCreating(false)}
        onToken={setToken}
        onInvitation={setInvitation}
      />
      <EditUserDialog user={editing} onClose={() => setEditing(undefined)} />
      <InvitationDialog invitation={invitation} onClose={() => setInvitation(undefined)} />
      <TokenDialog token={token} onClose={() => setToken(undefined)} />
    </>
  )
}
