/** Secrets and cron jobs of a repository. */
import type { Cron, CronInput, Secret, SecretInput } from '@flightdeck/api'

import type { Action } from '../action.ts'
import { client } from '../client.ts'
import { keyOf } from '../keys.ts'
import type { RepoAddress } from './builds.ts'

export const addSecret = ({ namespace, name }: RepoAddress): Action<SecretInput, Secret> => ({
  name: 'add',
  subject: `secrets of ${namespace}/${name}`,
  send: (secret) => client.createSecret(namespace, name, secret),
  stale: [keyOf('listSecrets', namespace, name)],
  done: 'Secret has been added successfully',
  failed: 'Unable to add secret',
})

export const removeSecret = ({ namespace, name }: RepoAddress, secret: string): Action<void, unknown> => ({
  name: 'remove',
  subject: `secret ${secret} of ${namespace}/${name}`,
  send: () => client.deleteSecret(namespace, name, secret),
  stale: [keyOf('listSecrets', namespace, name)],
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
