/** The actor of a build: the person who started it manually, else the author of the commit. */
import type { Build } from '@flightdeck/api'

/**
 * The user who started this build manually. Flightdeck's own server sends it; on other servers, the
 * trigger of a copied or manual build is a user (docs/api §5.3).
 */
export const manualActorOf = ({ actor, parent, event, trigger = '' }: Partial<Build>): string => {
  if (actor) return actor
  const byHand = Boolean(parent) || event === 'custom'
  return byHand && !trigger.startsWith('@') ? trigger : ''
}

/**
 * The actor of a build: the person who started it, else the one who pushed. `avatar` is only the
 * author's picture.
 */
export const actorOf = (build: Build): { login: string; avatar: string } => {
  const facts: Partial<Build> = build
  const { author_login: author = '', author_avatar: avatar = '', author_name: name, sender, trigger = '' } = facts
  const actor = manualActorOf(build)
  const login = actor || author || sender || (trigger.startsWith('@') ? '' : trigger) || name || ''
  return { login, avatar: login === author ? avatar : '' }
}
