/** Who stands behind a build: who acted, not who made the commit, wherever somebody pressed something. */
import type { Build } from '@flightdeck/api'

/**
 * Who pressed something for this build to be. Our own server tells; of any other the trigger of a copy, or of a build by hand,
 * is a person (docs/api §5.3).
 */
export const presserOf = ({ actor, parent, event, trigger = '' }: Partial<Build>): string => {
  if (actor) return actor
  const byHand = Boolean(parent) || event === 'custom'
  return byHand && !trigger.startsWith('@') ? trigger : ''
}

/** Who stands behind a build: who pressed, else who pushed. `avatar` is the author's picture, and nobody else's. */
export const whoOf = (build: Build): { login: string; avatar: string } => {
  const told: Partial<Build> = build
  const { author_login: author = '', author_avatar: avatar = '', author_name: name, sender, trigger = '' } = told
  const presser = presserOf(build)
  const login = presser || author || sender || (trigger.startsWith('@') ? '' : trigger) || name || ''
  return { login, avatar: login === author ? avatar : '' }
}
