/**
 * The name typed into the sign-in form: after a refusal the server shows its error page
 * (`/login/error`), which fills it in again. For this tab only, and never the password.
 */
import { writeStored, readStored } from '../../browser/storage.ts'

const key = 'sign-in-name'

/** The maximum length; the server has no longer names. */
const maxChars = 250

export const keepTypedName = (name: string): void => {
  writeStored('session', key, name.trim().slice(0, maxChars) || undefined)
}

/** Empty if no name was typed in this tab. */
export const typedName = (): string => readStored('session', key) ?? ''
