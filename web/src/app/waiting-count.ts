import { createStore } from '../browser/store.ts'

/**
 * The number of builds waiting for this user, among those that the page has read. Shown in the
 * rail.
 */
export const waitingCount = createStore(0)
