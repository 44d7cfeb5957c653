/**
 * The single event stream and the cache updates it makes (architecture.md, flow 3). No other module
 * opens a stream or merges events.
 */
export { connection } from './connection.ts'
export { LiveUpdates } from './live-updates.tsx'
