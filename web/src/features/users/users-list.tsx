import type { User } from '@flightdeck/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '../../api/client.ts'
import { errorText } from '../../api/query-client.ts'
import { useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { useAddress, useNavigation, useSearchParams } from '../../ui/navigation.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { UserRow } from './user-row.tsx'

/** Specification §9: "Users list initial 1000". */
const firstUsers = 1000

const useDeleteUser = () => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (login: string) => client.deleteUser(login),
    onSuccess: () => {
      toast.success('User has been deleted successfully')
      return queryClient.invalidateQueries({ queryKey: ['listUsers'] })
    },
    onError: (error) => toast.error(`Unable to delete user: ${errorText(error)}`),
  })
}

const matches = (user: User, filter: string): boolean =>
  `${user.login} ${user.email}`.toLowerCase().includes(filter.trim().toLowerCase())

/** The filter lives in the address (design.md, rule 7). */
const useFilter = (): [string, (next: string) => void] => {
  const { navigate } = useNavigation()
  const { pathname } = useAddress()
  const filter = useSearchParams().get('filter') ?? ''
  return [
    filter,
    (next) => navigate(next ? `${pathname}?${new URLSearchParams({ filter: next })}` : pathname, { replace: true }),
  ]
}

export interface UserActions {
  onEdit: (user: User) => void
  onReset: (login: string) => void
}

export function UsersList({ users, ...actions }: UserActions & { users: readonly User[] }) {
  const me = useMe()
  const [all, setAll] = useState(false)
  const [filter, setFilter] = useFilter()
  const { mutate } = useDeleteUser()
  const found = users.filter((user) => matches(user, filter)).toSorted((a, b) => a.login.localeCompare(b.login, 'en'))
  const shown = all ? found : found.slice(0, firstUsers)
  return (
    <div className="flex flex-col gap-4">
      <TextField
        className="max-w-72"
        label="Filter"
        hideLabel
        type="search"
        placeholder="Filter by name or address"
        value={filter}
        onChange={setFilter}
      />
      {shown.length > 0 ? (
        <ul className="overflow-hidden rounded-lg border border-line bg-surface">
          {shown.map((user) => (
            <UserRow key={user.login} user={user} isMe={user.login === me?.login} onDelete={mutate} {...actions} />
          ))}
        </ul>
      ) : (
        <p className="py-8 text-center text-muted">Nobody matches “{filter.trim()}”.</p>
      )}
      {shown.length < found.length && (
        <div className="flex justify-center">
          <Button onClick={() => setAll(true)}>Show more</Button>
        </div>
      )}
    </div>
  )
}
