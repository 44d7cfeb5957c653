/**
 * The name that was typed into the sign-in form: the server answers a refused one with a page of its own (`/login/error`), which
 * keeps the name. For this tab only, and never the password.
 */
import { writeStored, readStored } from '../../browser/storage.ts'

const key = 'sign-in-name'

/** The longest that is kept; the server knows none that is longer. */
const maxChars = 250

export const keepTypedName = (name: string): void => {
  writeStored('session', key, name.trim().slice(0, maxChars) || undefined)
}

/** Empty if no name was typed in this tab. */
export const typedName = (): string => readStored('session', key) ?? ''
