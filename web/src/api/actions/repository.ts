/** Activates, disables and updates a repository, and manages its collaborators. */
import type { Collaborator, Repo, RepoPatch, Role } from '@flightdeck/api'

import { ownClient } from '../own-client.ts'
import { rightsOf } from '../../lib/role.ts'
import type { Action } from '../action.ts'
import { client } from '../client.ts'
import { keyOf } from '../keys.ts'
import { userQuery } from '../queries.ts'
import { isStatus, queryClient } from '../query-client.ts'
import { rememberRepo } from '../remember-repo.ts'
import type { RepoAddress } from './builds.ts'

const subjectOf = ({ namespace, name }: RepoAddress): string => `repository ${namespace}/${name}`

export const activateRepo = (repo: RepoAddress): Action<void, Repo> => ({
  name: 'activate',
  subject: subjectOf(repo),
  send: () => client.enableRepo(repo.namespace, repo.name),
  updateCache: (answer) => rememberRepo(queryClient, repo, { ...answer, active: true }),
  done: 'Repo has been successfully enabled',
  // Specification §8: a failed activation shows the raw message.
})

export const disableRepo = (repo: RepoAddress): Action<void, Repo> => ({
  name: 'disable',
  subject: subjectOf(repo),
  send: () => client.disableRepo(repo.namespace, repo.name),
  updateCache: (answer) => rememberRepo(queryClient, repo, { ...answer, active: false }),
  done: 'Repo has been disabled',
  failed: 'Unable to disable repo',
})

export const saveRepo = <Fields extends RepoPatch>(repo: RepoAddress): Action<Fields, Repo> => ({
  name: 'save',
  subject: subjectOf(repo),
  send: (fields) => client.updateRepo(repo.namespace, repo.name, fields),
  updateCache: (answer, fields) => rememberRepo(queryClient, repo, { ...fields, ...answer }),
  done: 'Changes have been saved',
  failed: 'Unable to save changes',
})

const inWords: Record<Role, string> = { read: 'read', write: 'write', admin: 'admin' }

const accessOf = ({ namespace, name }: RepoAddress, login: string): string =>
  `access of ${login} to ${namespace}/${name}`

/** The lists of users with access and of users who can be added. */
const accessLists = ({ namespace, name }: RepoAddress) => [
  keyOf('listCollaborators', namespace, name),
  keyOf('listPeople', namespace, name),
]

/**
 * Removes cached data after the user's own role was changed, because the user may no longer see it.
 */
const forgetOwn = ({ namespace, name }: RepoAddress, login: string): void => {
  if (login === queryClient.getQueryData(userQuery().queryKey)?.login)
    void queryClient.resetQueries({ queryKey: keyOf('getRepo', namespace, name) })
}

/** `login`: the user whose role is set; empty for the form, which can name any user. */
export const setRole = (repo: RepoAddress, login = ''): Action<{ login: string; role: Role }, unknown> => ({
  name: 'role',
  subject: accessOf(repo, login),
  send: (person) => ownClient.setCollaborator(repo.namespace, repo.name, person.login, rightsOf(person.role)),
  updateCache: (_answer, person) => forgetOwn(repo, person.login),
  stale: accessLists(repo),
  done: (_answer, person) => `${person.login} now has ${inWords[person.role]} access`,
  failed: 'Unable to change access',
  // The user does not exist; the form shows that below the name.
  atField: login === '' ? (error) => isStatus(error, 404) : () => false,
})

export const removeAccess = (repo: RepoAddress, { login }: Pick<Collaborator, 'login'>): Action<void, unknown> => ({
  name: 'remove',
  subject: accessOf(repo, login),
  send: () => client.deleteCollaborator(repo.namespace, repo.name, login),
  updateCache: () => forgetOwn(repo, login),
  stale: accessLists(repo),
  done: `${login}’s access has been removed`,
  failed: 'Unable to remove access',
})
