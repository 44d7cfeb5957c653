/**
 * What people did to a build, beside what made it happen (issue 11, point 14): the commit's author is not who pressed Restart.
 * Only our own server tells.
 */
import type { Build } from '@flightdeck/api'

export interface Deed {
  text: string
  /** Left out where the build's own times tell it. */
  at?: number
}

const start = (build: Build): Deed[] => {
  const { actor, parent, event, debug } = build
  // The sentence of a deployment names who did it, and so does that of a build by hand that is no copy.
  if (!actor || event === 'promote' || event === 'rollback') return []
  if (parent) return [{ text: `${actor} restarted #${parent}${debug ? ' to debug it' : ''}` }]
  return event === 'custom' ? [] : [{ text: `${actor} started it` }]
}

/** For a row: how it was started again and who ended it. */
export const deedsOf = (build: Build): Deed[] => [
  ...start(build),
  ...(build.canceled_by ? [{ text: `${build.canceled_by} canceled it`, at: build.canceled ?? 0 }] : []),
]

/** For the page of a build, which knows its stages, too. */
export const deedsWithStages = (build: Build): Deed[] => [
  ...deedsOf(build),
  ...(build.stages ?? []).flatMap(({ name, approved_by: yes, approved, declined_by: no, declined }) => [
    ...(yes ? [{ text: `${yes} approved ${name}`, at: approved ?? 0 }] : []),
    ...(no ? [{ text: `${no} declined ${name}`, at: declined ?? 0 }] : []),
  ]),
]
