/** What the server and its spawner say to each other. */
import type { Exit, Order } from './starter.ts'

export interface Request extends Order {
  id: number
  /** The pipe for both outputs, by its path. */
  output: string
}

export type News =
  | { kind: 'ready' }
  | { kind: 'started'; id: number; pid: number }
  | { kind: 'failed'; id: number; message: string }
  | ({ kind: 'ended'; id: number } & Exit)

/** Only the two programs of one build of ours hold an end of the channel, so this is enough to tell one message from another. */
export const isRequest = (value: unknown): value is Request =>
  typeof value === 'object' && value !== null && 'id' in value && 'command' in value && 'output' in value

export const isNews = (value: unknown): value is News => typeof value === 'object' && value !== null && 'kind' in value
