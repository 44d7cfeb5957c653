/** The queue of all stages, and the secret of runners; for administrators. */
import { ownClient } from '../own-client.ts'
import type { Action } from '../action.ts'
import { client } from '../client.ts'
import { keyOf } from '../keys.ts'

const subject = 'queue'
const stale = [keyOf('getRunners')]

export const pauseQueue: Action<void, unknown> = {
  name: 'pause',
  subject,
  send: client.pauseQueue,
  stale,
  done: 'The queue has been paused',
  failed: 'Unable to pause the queue',
}

export const resumeQueue: Action<void, unknown> = {
  name: 'resume',
  subject,
  send: client.resumeQueue,
  stale,
  done: 'The queue has been resumed',
  failed: 'Unable to resume the queue',
}

/** Kept in the component that shows it, and never cached. */
export const showSecret: Action<void, { secret: string }> = {
  name: 'show',
  subject: 'secret of runners',
  send: ownClient.getRunnerSecret,
  failed: 'Unable to show the secret',
}
