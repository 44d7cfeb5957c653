/** The server's rules for a new password, checked before it is sent. */
const minChars = 8

export const passwordHelp = `At least ${minChars} characters.`

export const passwordError = (password: string): string | undefined =>
  password.length < minChars ? `Use at least ${minChars} characters.` : undefined

export const repeatError = (password: string, repeated: string): string | undefined =>
  password === repeated ? undefined : 'The passwords don’t match.'
