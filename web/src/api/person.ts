/**
 * The user of this document: the first user for whom a response arrives. When the browser's user
 * changes (another tab signs in or out), the whole document is replaced. No cache, stream or
 * request of the first user can then reach the screen of the second.
 */
import { ApiError, type User } from '@flightdeck/api'

import { personHeader } from './person-header.ts'

/** Reactions to a change of the user, set once by the application. */
export interface PersonListener {
  /**
   * The browser's user has changed, or a signed-out user has signed in again: this document must be
   * replaced.
   */
  onOther: () => void
  /** The user may have changed: check who is signed in. */
  onDoubt: () => Promise<unknown>
}

/** Used instead of a user when no one is signed in. */
export const guest = ''
let listener: PersonListener | undefined
/** Undefined until the first response. */
let owner: string | undefined
/**
 * The owner, or `guest` once the session has ended; undefined until `GET /api/user` has responded.
 */
let present: string | undefined
let hasLeft = false
let channel: BroadcastChannel | undefined
/**
 * Users named by other tabs and denied once: two tabs that disagree would otherwise exchange
 * messages forever.
 */
const denied = new Set<string>()

export const personOf = ({ id, login }: User): string => String(id || login)

/** Sets the user named in the document itself, before any response. */
export const startAs = (person: string): void => {
  owner = person
}

export const ownerOfPage = (): string | undefined => owner

/** The session of this document's person ended while the page was open. */
export const sessionHasEnded = (): boolean => owner !== undefined && present === guest

/** A promise that never resolves: the document is about to be replaced. */
const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

export const isLeaving = (): boolean => hasLeft

const leave = (): void => {
  if (hasLeft) return
  hasLeft = true
  listener?.onOther()
}

/** Whether the response is for this document's user. The first response sets the user. */
const isOwn = (person: string): boolean => {
  owner ??= person
  if (!hasLeft && owner === person) return true
  leave()
  return false
}

/**
 * Whether this page can show a response, according to the header that names its user. If not, the
 * page is replaced.
 */
export const isForThisPage = (person: string | null): boolean => {
  if (hasLeft) return false
  if (person === null) return true
  if (person !== '0') return isOwn(person)
  // At most one unnecessary check: a pending one is not repeated.
  if (present) void listener?.onDoubt()
  return true
}

/** Checks whom a response is for before it is used. */
export const onlyOwn = (response: Response): Response | Promise<Response> =>
  isForThisPage(response.headers.get(personHeader)) ? response : never()

const post = (person: string): void => channel?.postMessage(person)

const setPresent = (person: string): void => {
  if (present === person) return
  present = person
  post(person)
}

/**
 * `GET /api/user`: its response is processed here, and sent to the other tabs, before it reaches
 * any cache.
 */
export const identified = async (ask: () => Promise<User>): Promise<User> => {
  try {
    const user = await ask()
    const person = personOf(user)
    // A page that a guest has viewed contains only data for guests.
    const wasVisit = window.flightdeckPublicPages && present === guest
    if (wasVisit || sessionHasEnded() || !isOwn(person)) {
      leave()
      return await never()
    }
    setPresent(person)
    return user
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) setPresent(guest)
    throw error
  }
}

const onMessage = async (person: string): Promise<void> => {
  if (present === undefined || person === present) return
  await listener?.onDoubt()
  if (hasLeft || person === present || denied.has(person)) return
  denied.add(person)
  post(present)
}

/**
 * Starts listening to other tabs. Without a channel, the end of the event stream and each 401
 * trigger the check.
 */
export const watchPerson = (newListener: PersonListener): void => {
  listener = newListener
  try {
    channel = new BroadcastChannel('flightdeck-person')
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') void onMessage(data)
    })
  } catch {
    // The browser is configured to isolate tabs.
  }
}
