/** Secrets and cron jobs of a repository. */
import type { Cron, CronInput, Secret, SecretInput } from '@flightdeck/api'

import type { Action } from '../action.ts'
import { client } from '../client.ts'
import { keyOf } from '../keys.ts'
import type { RepoAddress } from './builds.ts'

/** Whose secrets: those of one repository, or without a name those of all repositories of a namespace. */
export interface SecretsOf {
  namespace: string
  name?: string | undefined
}

const keyOfSecrets = ({ namespace, name }: SecretsOf) =>
  name === undefined ? keyOf('listOrgSecrets', namespace) : keyOf('listSecrets', namespace, name)
const inWords = ({ namespace, name }: SecretsOf): string => (name === undefined ? namespace : `${namespace}/${name}`)

export const addSecret = (of: SecretsOf): Action<SecretInput, Secret> => ({
  name: 'add',
  subject: `secrets of ${inWords(of)}`,
  send: (secret) =>
    of.name === undefined
      ? client.createOrgSecret(of.namespace, secret)
      : client.createSecret(of.namespace, of.name, secret),
  stale: [keyOfSecrets(of)],
  done: 'Secret has been added successfully',
  failed: 'Unable to add secret',
})

export const removeSecret = (of: SecretsOf, secret: string): Action<void, unknown> => ({
  name: 'remove',
  subject: `secret ${secret} of ${inWords(of)}`,
  send: () =>
    of.name === undefined
      ? client.deleteOrgSecret(of.namespace, secret)
      : client.deleteSecret(of.namespace, of.name, secret),
  stale: [keyOfSecrets(of)],
  done: 'Secret has been removed successfully',
  failed: 'Unable to remove secret',
})

/** Specification §8: "Cron add and remove failures … show the raw message." */
export const addCron = ({ namespace, name }: RepoAddress): Action<CronInput, Cron> => ({
  name: 'add',
  subject: `cron jobs of ${namespace}/${name}`,
  send: (cron) => client.createCron(namespace, name, cron),
  stale: [keyOf('listCron', namespace, name)],
  done: 'Cron has been added successfully',
})

export const removeCron = ({ namespace, name }: RepoAddress, cron: string): Action<void, unknown> => ({
  name: 'remove',
  subject: `cron job ${cron} of ${namespace}/${name}`,
  send: () => client.deleteCron(namespace, name, cron),
  stale: [keyOf('listCron', namespace, name)],
  done: 'Cron has been removed successfully',
})
