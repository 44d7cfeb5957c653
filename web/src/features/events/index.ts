export { eventDescription } from '../../lib/event-text.ts'
export { EventDescription } from './event-description.tsx'
