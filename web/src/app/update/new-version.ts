/** Whether the server has another build of the page than the open one, and whether now is a good moment to load it. Pure. */

/** Scripts of the page; their names hold hashes of what is in them. */
const script = /<script\b[^<>]* src="([\w./-]+\.js)"/g

/** Identifies a build by the names of its scripts. Empty if the answer is not our page, such as the error page of a proxy. */
export const buildOf = (html: string): string => [...html.matchAll(script)].map(([, name]) => name).join(' ')

export interface Moment {
  hidden: boolean
  /** Milliseconds since the last input. */
  idleMs: number
  /** A dialog or menu is open. */
  dialog: boolean
  /** A form is on the page: what was typed or chosen in it would be lost. */
  form: boolean
  /** The focus is in a field. */
  typing: boolean
  /** Something is being sent. */
  sending: boolean
}

/** After this time without input the page counts as unused. */
export const idleEnoughMs = 5 * 60_000

export const isQuiet = ({ hidden, idleMs, dialog, form, typing, sending }: Moment): boolean =>
  !dialog && !form && !sending && (hidden || (!typing && idleMs >= idleEnoughMs))
