/** The server's rules and messages for names, checked before a request is sent (docs/api §2.5). */
import { secretSizeError } from '@flightdeck/api'

export const secretNameError = (name: string): string | undefined =>
  /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/.test(name) ? undefined : 'Invalid Secret Name'

export const secretValueError = (value: string): string | undefined =>
  value.length > 0 ? secretSizeError(value) : 'Invalid Secret Value'

/**
 * The server makes a slug of the name (lower case, dashes) and rejects an empty one. It
 * transliterates other alphabets, so names beyond ASCII are left to the server.
 */
export const cronNameError = (name: string): string | undefined =>
  /[A-Za-z0-9&@]|[^\0-\x7f]/.test(name) ? undefined : 'Invalid Cronjob Name'

/**
 * Only what is certainly wrong, and the form with five fields: the server checks the rest and says
 * what is wrong.
 */
export const cronExpressionError = (expression: string): string | undefined => {
  const fields = expression.trim().split(/\s+/)
  if (fields.length === 5 && fields.every((field) => /^[\dA-Za-z*/,?+-]+$/.test(field)))
    return `The seconds come first: write "0 ${fields.join(' ')}"`
  return fields.length > 1 || expression.trim().startsWith('@') ? undefined : 'Invalid Cronjob Expression'
}

/** Specification §9. */
export const cronSchedules = ['@hourly', '@daily', '@weekly', '@monthly', '@yearly'] as const
export const defaultCronBranch = 'master'
