export { deedOf, deedsOf } from './deeds.ts'
export { eventDescription, rowWords, shortHash } from './event-text.ts'
export { EventDescription } from './event-description.tsx'
export { compareLink, fileLink, sourceLink } from './forge-links.ts'
