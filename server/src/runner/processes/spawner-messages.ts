/** The messages between the server and its spawner. */
import type { Exit, Order } from './starter.ts'

export interface Request extends Order {
  id: number
  /** The path of the pipe for both outputs. */
  output: string
}

export type SpawnerMessage =
  | { kind: 'ready' }
  | { kind: 'started'; id: number; pid: number }
  | { kind: 'failed'; id: number; message: string }
  | ({ kind: 'ended'; id: number } & Exit)

/**
 * Both ends of the channel belong to the same build of Flightdeck, so this is enough to tell
 * messages apart.
 */
export const isRequest = (value: unknown): value is Request =>
  typeof value === 'object' && value !== null && 'id' in value && 'command' in value && 'output' in value

export const isSpawnerMessage = (value: unknown): value is SpawnerMessage =>
  typeof value === 'object' && value !== null && 'kind' in value
