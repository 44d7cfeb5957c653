export { deedsOf, deedsWithStages } from './deeds.ts'
export { eventDescription, shortHash } from './event-text.ts'
export { EventDescription } from './event-description.tsx'
