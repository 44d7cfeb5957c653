import { useTitle } from '../../browser/use-title.ts'
import { EntryLayout } from './entry-layout.tsx'
import { SignInForm } from './sign-in-form.tsx'

export function LoginPage() {
  useTitle('Sign in')
  return (
    <EntryLayout title="Sign in">
      <SignInForm />
    </EntryLayout>
  )
}
