import { expect, test } from 'vitest'

import { manualActorOf } from './actor.ts'

test.each([
  ['the person that the server names', { actor: 'wes', event: 'push', trigger: '@hook' }, 'wes'],
  ['the trigger of a manual build', { event: 'custom', trigger: 'wes' }, 'wes'],
  ['the trigger of a copied build', { event: 'push', parent: 3, trigger: 'wes' }, 'wes'],
  ['no person for a push, whatever its trigger', { event: 'push', trigger: 'wes' }, ''],
  ['no person for a copy by a machine', { event: 'push', parent: 3, trigger: '@cron' }, ''],
  ['no person without a trigger', { event: 'custom' }, ''],
] as const)('a build was started by %s', (_name, build, login) => {
  expect(manualActorOf(build)).toBe(login)
})
