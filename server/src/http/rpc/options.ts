import type { Runners } from '@flightdeck/api'
import type { CloneServer } from '../../interfaces/clone.ts'
import type { PushServer } from '../../interfaces/push.ts'
import type { RemoteManager } from '../../interfaces/remote.ts'

/** What runners on other machines get. */
export interface RpcOptions {
  /** Without a secret all calls are refused. */
  secret: string | undefined
  runners: RemoteManager
  clones: CloneServer
  pushes: PushServer
  /**
   * How these runners reach us, and the version that they write on what they make. Both as for
   * browsers, if left out.
   */
  reach?: { url: string; version: string }
  /** How to start the server again with its own Docker runner; absent where it has one. */
  dockerStart?: Runners['dockerStart']
  /** A runner that knows the secret has called. */
  onCall?: () => void
  /** How long a long poll is held; default 30 s. */
  pollMs?: number
  /** How long a refusal is delayed; default 3 s. A refused runner polls again immediately. */
  holdMs?: number
}
