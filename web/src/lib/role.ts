import type { Permissions, Role } from '@flightdeck/api'

/** The roles of a collaborator, each of which includes the ones before. */
export const roles: readonly { value: Role; label: string; help: string }[] = [
  { value: 'read', label: 'Read', help: 'Can view builds and logs.' },
  { value: 'write', label: 'Write', help: 'Can start, cancel and approve builds, and manage secrets and cron jobs.' },
  { value: 'admin', label: 'Admin', help: 'Full control, including other people’s access.' },
]

export const isRole = (value: string): value is Role => roles.some((role) => role.value === value)

export const roleOf = (rights: Permissions): Role => (rights.admin ? 'admin' : rights.write ? 'write' : 'read')

export const rightsOf = (role: Role): Permissions => ({ read: true, write: role !== 'read', admin: role === 'admin' })
