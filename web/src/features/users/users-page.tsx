import type { User } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'

import { useCapability } from '../../api/capabilities.ts'
import { failedRead } from '../../api/query-client.ts'
import { queryOf } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageBody, PageHeader } from '../../ui/page-header.tsx'
import { SystemTabs } from '../common/system-tabs.tsx'
import { useTitle } from '../../browser/use-title.ts'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { UsersList } from './users-list.tsx'
import { UsersSkeleton } from './users-skeleton.tsx'

function UsersBody({ onEdit }: { onEdit: (user: User) => void }) {
  const { data, error, refetch, isFetching } = useQuery(queryOf('listUsers'))
  if (!data && error) {
    return <ErrorState {...failedRead('The users', { error, isFetching, refetch })} />
  }
  if (!data) return <UsersSkeleton />
  if (data.length === 0) return <EmptyState title="It looks a little empty here!" message="Create the first user." />
  return <UsersList users={data} onEdit={onEdit} />
}

/** Specification §2 "User management". Access is checked by the application's guard. */
export function UsersPage() {
  const [creating, setCreating] = useState(false)
  const [editing, setEditing] = useState<User>()
  const own = useCapability('runners')
  useTitle('Users')
  return (
    <>
      <PageHeader
        title="Users"
        {...(own && { tabs: <SystemTabs /> })}
        actions={
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus className="size-4" aria-hidden="true" />
            New user
          </Button>
        }
      />
      <PageBody>
        <UsersBody onEdit={setEditing} />
      </PageBody>
      <CreateUserDialog open={creating} onClose={() => setCreating(false)} />
      <EditUserDialog user={editing} onClose={() => setEditing(undefined)} />
    </>
  )
}
