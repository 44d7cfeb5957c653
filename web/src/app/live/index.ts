/** The one event stream and what it changes (architecture.md, flow 3). Nobody else opens one, or merges an event. */
export { connection } from './connection.ts'
export { LiveUpdates } from './live-updates.tsx'
