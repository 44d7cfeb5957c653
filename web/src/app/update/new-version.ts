/**
 * Whether the server has a newer build of the page, and whether now is a good moment to load it.
 * Pure.
 */

/** The page's scripts; their names contain hashes of their contents. */
const script = /<script\b[^<>]* src="([\w./-]+\.js)"/g

/**
 * Identifies a build by the names of its scripts. Empty if the response is not our page, such as
 * the error page of a proxy.
 */
export const buildOf = (html: string): string => [...html.matchAll(script)].map(([, name]) => name).join(' ')

export interface Moment {
  hidden: boolean
  /** Milliseconds since the last input. */
  idleMs: number
  /** A dialog or menu is open. */
  dialog: boolean
  /** A form is on the page, whose input would be lost. */
  form: boolean
  /** The focus is in a field. */
  typing: boolean
  /** A request is being sent. */
  sending: boolean
}

/** After this time without input the page counts as unused. */
export const idleEnoughMs = 5 * 60_000

export const isQuiet = ({ hidden, idleMs, dialog, form, typing, sending }: Moment): boolean =>
  !dialog && !form && !sending && (hidden || (!typing && idleMs >= idleEnoughMs))
