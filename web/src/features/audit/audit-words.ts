import type { AuditEntry } from '@flightdeck/api'

const actions: Readonly<Record<string, string>> = {
  'user.created': 'Created user',
  'user.changed': 'Changed user',
  'user.deleted': 'Deleted user',
  'user.invited': 'Invited',
  'access.granted': 'Granted access to',
  'access.changed': 'Changed access to',
  'access.removed': 'Removed access to',
  'token.created': 'Created a token of',
  'token.replaced': 'Replaced a token of',
  'token.revoked': 'Revoked a token of',
  'password.changed': 'Changed the password of',
  'password.removed': 'Reset the password of',
  'secret.created': 'Added a secret to',
  'secret.changed': 'Changed a secret of',
  'secret.deleted': 'Removed a secret from',
  'repo.activated': 'Activated',
  'repo.disabled': 'Disabled',
  'repo.changed': 'Changed settings of',
  'repo.deleted': 'Deleted',
  'cron.created': 'Added a cron job to',
  'cron.changed': 'Changed a cron job of',
  'cron.deleted': 'Removed a cron job from',
  'retention.changed': 'Changed the retention of',
  'environment.protected': 'Protected an environment of',
  'environment.changed': 'Changed an environment of',
  'environment.unprotected': 'Unprotected an environment of',
  'stage.approved': 'Approved a stage of',
  'stage.declined': 'Declined a stage of',
  'deployment.promote': 'Promoted a build of',
  'deployment.rollback': 'Rolled back a build of',
}

/** `Changed a secret of`; an action that this page does not know is shown as the server names it. */
export const actionWords = ({ action }: Pick<AuditEntry, 'action'>): string =>
  Object.hasOwn(actions, action) ? (actions[action] ?? action) : action

const inWords = (value: unknown): string => {
  if (value === null || value === '') return 'nothing'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `visibility: private → internal`, one text for each key. */
export const detailWords = (details: AuditEntry['details']): string[] =>
  Object.entries(details).map(([key, value]) => {
    const name = key.replaceAll('_', ' ')
    if (Array.isArray(value) && value.length === 2) return `${name}: ${inWords(value[0])} → ${inWords(value[1])}`
    return `${name}: ${inWords(value)}`
  })
