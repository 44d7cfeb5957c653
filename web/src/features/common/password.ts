/** The server's own rules for a new password, checked before anything is sent. */
const shortest = 8

export const passwordHelp = `At least ${shortest} characters.`

export const passwordError = (password: string): string | undefined =>
  password.length < shortest ? `Use at least ${shortest} characters.` : undefined

export const repeatError = (password: string, repeated: string): string | undefined =>
  password === repeated ? undefined : 'The passwords don’t match.'
