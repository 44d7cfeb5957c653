import type { AuditEntry } from '@flightdeck/api'

import { formatDate } from '../../lib/time.ts'
import { shortHash } from '../events/index.ts'

const actions = new Map([
  ['user.created', 'created user'],
  ['user.changed', 'changed user'],
  ['user.deleted', 'deleted user'],
  ['user.invited', 'invited'],
  ['access.granted', 'granted access to'],
  ['access.changed', 'changed access to'],
  ['access.removed', 'removed access to'],
  ['token.created', 'created a token of'],
  ['token.replaced', 'replaced a token of'],
  ['token.revoked', 'revoked a token of'],
  ['wall_link.created', 'created a wall link of'],
  ['wall_link.revoked', 'revoked a wall link of'],
  ['password.changed', 'changed the password of'],
  ['password.removed', 'reset the password of'],
  ['secret.created', 'added a secret to'],
  ['secret.changed', 'changed a secret of'],
  ['secret.deleted', 'removed a secret from'],
  ['repo.activated', 'activated'],
  ['repo.disabled', 'disabled'],
  ['repo.changed', 'changed settings of'],
  ['repo.deleted', 'deleted'],
  ['cron.created', 'added a cron job to'],
  ['cron.changed', 'changed a cron job of'],
  ['cron.deleted', 'removed a cron job from'],
  ['retention.changed', 'changed the retention of'],
  ['environment.protected', 'protected an environment of'],
  ['environment.changed', 'changed an environment of'],
  ['environment.unprotected', 'unprotected an environment of'],
  ['stage.approved', 'approved a stage of'],
  ['stage.declined', 'declined a stage of'],
  ['deployment.promote', 'promoted a build of'],
  ['deployment.rollback', 'rolled back a build of'],
])

/** For example `changed a secret of`. Unknown actions are shown by their API name. */
export const actionWords = ({ action }: Pick<AuditEntry, 'action'>): string => actions.get(action) ?? action

/** Keys with numeric values; for all other keys, 0 and 1 mean no and yes. */
const counts = new Set(['timeout', 'throttle', 'of', 'build_days', 'builds', 'log_days', 'log_mb'])

const inWords = (key: string, value: unknown): string => {
  if (key === 'commit' && typeof value === 'string') return shortHash(value)
  if (key === 'of' && typeof value === 'number') return `#${value}`
  if (key === 'expires' && typeof value === 'number') return value === 0 ? 'never' : formatDate(value)
  if (!counts.has(key) && (value === 0 || value === 1)) return value === 1 ? 'yes' : 'no'
  if (value === null || value === '') return 'nothing'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Keys with a different label. */
const names = new Map([
  ['who', 'can deploy'],
  ['of', 'from build'],
  ['expr', 'schedule'],
  ['admin', 'administrator'],
  ['machine', 'machine account'],
])

/** `visibility: private → internal`, one text for each key without empty values. */
export const detailWords = (details: AuditEntry['details']): string[] =>
  Object.entries(details).flatMap(([key, value]) => {
    if (value === '') return []
    const name = names.get(key) ?? key.replaceAll('_', ' ')
    if (Array.isArray(value) && value.length === 2)
      return [`${name}: ${inWords(key, value[0])} → ${inWords(key, value[1])}`]
    return [`${name}: ${inWords(key, value)}`]
  })
