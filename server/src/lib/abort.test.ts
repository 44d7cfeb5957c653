import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { timeoutSignal } from './abort.ts'

it('a combined timeout ends, also after a garbage collection', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const combined = AbortSignal.any([new AbortController().signal, timeoutSignal(200)])
  const ended = once(combined, 'abort')
  // What nothing refers to is collected in a later turn.
  await nextTurn()
  for (let times = 0; times < 3; times++) collect()
  await ended
  expect(combined.reason).toHaveProperty('name', 'TimeoutError')
})
