export { NewPassword, usePassword } from './new-password.tsx'
