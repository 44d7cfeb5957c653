export { deedOf, deedsOf, restartOf } from './deeds.ts'
export { eventDescription, rowWords, shortHash } from './event-text.ts'
export { EventDescription } from './event-description.tsx'
export { fileLink } from './forge-links.ts'
