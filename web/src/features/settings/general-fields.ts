import type { Repo, RepoPatch } from '@flightdeck/api'

import { timeoutOrDefault } from './timeouts.ts'
import { keepTyped } from './typed.ts'

/**
 * The seven fields that saving sends, whether they are shown or not (readings "Dialogs and
 * settings").
 */
export type GeneralFields = Sent & AutoCancel

/**
 * Beyond the specification: only changed fields are sent, and only if the server has them (docs/api
 * §2.3).
 */
export type AutoCancel = Pick<RepoPatch, 'auto_cancel_pushes' | 'auto_cancel_pull_requests' | 'auto_cancel_running'>

type Sent = Required<
  Pick<
    RepoPatch,
    'ignore_pull_requests' | 'ignore_forks' | 'protected' | 'trusted' | 'visibility' | 'timeout' | 'config_path'
  >
>

export const fieldsOf = (repo: Repo): Sent => ({
  ignore_pull_requests: repo.ignore_pull_requests,
  ignore_forks: repo.ignore_forks,
  protected: repo.protected,
  trusted: repo.trusted,
  visibility: repo.visibility,
  timeout: timeoutOrDefault(repo.timeout),
  config_path: repo.config_path,
})

const names: Record<keyof GeneralFields, string> = {
  ignore_pull_requests: 'Ignore pull requests',
  ignore_forks: 'Ignore forks',
  protected: 'Protected',
  trusted: 'Trusted',
  visibility: 'Visibility',
  timeout: 'Timeout',
  config_path: 'Configuration',
  auto_cancel_pushes: 'Cancel older push builds',
  auto_cancel_pull_requests: 'Cancel older pull-request builds',
  auto_cancel_running: 'Also cancel running builds',
}

/**
 * Servers silently ignore fields that the caller can't change, such as the timeout (docs/api §2.3).
 * Returns the names of the fields whose value in the response differs from the one sent; a field
 * missing from the response is not counted.
 */
export const notTaken = (sent: GeneralFields, answer: Partial<Repo> | null | undefined): string[] =>
  (Object.keys(names) as (keyof GeneralFields)[])
    .filter((key) => answer?.[key] !== undefined && sent[key] !== undefined && answer[key] !== sent[key])
    .map((key) => names[key])

/** The fields of the draft that were changed after it was sent, ignoring spaces around the path. */
export const typedSince = (draft: Partial<GeneralFields>, sent: GeneralFields): Partial<GeneralFields> => {
  const since = keepTyped<Partial<GeneralFields>>(draft, sent, {})
  if (since.config_path?.trim() === sent.config_path) delete since.config_path
  return since
}
