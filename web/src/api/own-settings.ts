/** Calls of repository settings: what can be changed of secrets and cron jobs, and what our own server tells beside them. */
import type { Build, Cron, CronPatch, CronTimes, Secret, SecretPatch, SecretUses } from '@flightdeck/api'
import { queryOptions } from '@tanstack/react-query'

import { paths } from '../lib/paths.ts'
import { ask, read } from './own.ts'

/** Whose secrets: those of one repository, or without a name those of all repositories of a namespace. */
export interface SecretsOf {
  namespace: string
  name?: string | undefined
}

const repo = (namespace: string, name: string): string => `/api/repos${paths.repo(namespace, name)}`
const secret = ({ namespace, name }: SecretsOf, named: string): string => {
  const of = name === undefined ? `/api/secrets/${encodeURIComponent(namespace)}` : `${repo(namespace, name)}/secrets`
  return `${of}/${encodeURIComponent(named)}`
}
const cron = (namespace: string, name: string, job: string): string =>
  `${repo(namespace, name)}/cron/${encodeURIComponent(job)}`

export const patchSecret = async (of: SecretsOf, named: string, body: SecretPatch): Promise<Secret> =>
  (await ask('PATCH', secret(of, named), { body })) as Secret

export const patchCron = async (namespace: string, name: string, job: string, body: CronPatch): Promise<Cron> =>
  (await ask('PATCH', cron(namespace, name, job), { body })) as Cron

/** `null`: there was nothing to run. */
export const startCron = async (namespace: string, name: string, job: string): Promise<Build | null> =>
  (await ask('POST', cron(namespace, name, job))) as Build | null

/** Which pipelines use which secret. */
export const secretUsesQuery = (namespace: string, name: string) =>
  queryOptions({
    queryKey: ['secret uses', namespace, name],
    queryFn: () => read<SecretUses>(`${repo(namespace, name)}/secret-uses`, ({ uses }) => Array.isArray(uses)),
  })

/** When an expression comes due next. */
export const cronTimesQuery = (expr: string) =>
  queryOptions({
    queryKey: ['cron times', expr],
    queryFn: () =>
      read<CronTimes>(`/api/cron-times?expr=${encodeURIComponent(expr)}`, ({ times }) => Array.isArray(times)),
    staleTime: 60_000,
  })
