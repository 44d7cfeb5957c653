import { createStore } from '../browser/store.ts'

/** How many builds wait for this person, of those that the page has read. The rail shows it. */
export const waitingCount = createStore(0)
