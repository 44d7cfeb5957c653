/** Secrets and cron jobs of a repository. */
import type { Build, Cron, CronInput, CronPatch, Secret, SecretInput, SecretPatch } from '@flightdeck/api'

import { ownClient } from '../own-client.ts'
import type { Action } from '../action.ts'
import { client } from '../client.ts'
import { keyOf } from '../keys.ts'
import type { RepoAddress } from './builds.ts'

/** The owner of the secrets: a repository, or without a name all repositories of a namespace. */
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

export const changeSecret = (of: SecretsOf, secret: string): Action<SecretPatch, Secret> => ({
  name: 'change',
  subject: `secret ${secret} of ${inWords(of)}`,
  send: (patch) =>
    of.name === undefined
      ? ownClient.updateOrgSecret(of.namespace, secret, patch)
      : ownClient.updateSecret(of.namespace, of.name, secret, patch),
  stale: [keyOfSecrets(of)],
  done: 'Changes have been saved',
  failed: 'Unable to save changes',
})

const subjectOfCron = ({ namespace, name }: RepoAddress, cron: string): string =>
  `cron job ${cron} of ${namespace}/${name}`

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
  subject: subjectOfCron({ namespace, name }, cron),
  send: () => client.deleteCron(namespace, name, cron),
  stale: [keyOf('listCron', namespace, name)],
  done: 'Cron has been removed successfully',
})

export const changeCron = ({ namespace, name }: RepoAddress, cron: string): Action<CronPatch, Cron> => ({
  name: 'change',
  subject: subjectOfCron({ namespace, name }, cron),
  send: (patch) => ownClient.updateCron(namespace, name, cron, patch),
  stale: [keyOf('listCron', namespace, name)],
  done: 'Changes have been saved',
  failed: 'Unable to save changes',
})

export const runCron = ({ namespace, name }: RepoAddress, cron: string): Action<void, Build> => ({
  name: 'run',
  subject: subjectOfCron({ namespace, name }, cron),
  send: async () => {
    const build = await ownClient.runCron(namespace, name, cron)
    if (!build?.number) throw new Error('the pipeline has nothing to run for this job')
    return build
  },
  stale: [keyOf('listCron', namespace, name), keyOf('listBuilds', namespace, name)],
  done: ({ number }) => `Build #${number} has started`,
  failed: 'Unable to start a new build',
})
