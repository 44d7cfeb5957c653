export { deedsOf, deedsWithStages } from './deeds.ts'
export { eventDescription, eventKind, shortHash } from './event-text.ts'
export { EventDescription } from './event-description.tsx'
