/** The roles that a user gets together with the account. */
import type { Role, UserInput } from '@flightdeck/api'

export interface FirstAccess {
  of: 'none' | 'all' | 'named'
  /** As typed, one slug per line. */
  names: string
  role: Role
}

export const noAccess: FirstAccess = { of: 'none', names: '', role: 'write' }

export const isFirst = (text: string): text is FirstAccess['of'] => ['none', 'all', 'named'].includes(text)

const namesOf = ({ names }: FirstAccess): string[] => names.split(/[\s,]+/).filter((name) => name !== '')

export function firstAccessError(access: FirstAccess): string | undefined {
  if (access.of !== 'named') return undefined
  const names = namesOf(access)
  if (names.length === 0) return 'Enter at least one repository'
  const wrong = names.find((name) => !/^[^/]+\/[^/]+$/.test(name))
  return wrong === undefined ? undefined : `${wrong} is not in the form namespace/name`
}

/** The extra keys of the request; empty if there are none. */
export const accessToSend = (access: FirstAccess): Pick<UserInput, 'repositories' | 'role'> =>
  access.of === 'none' ? {} : { repositories: access.of === 'all' ? '*' : namesOf(access).join(' '), role: access.role }
