import { client } from '../../api/client.ts'
import { connectedForge, type ConnectedForge } from '../../api/forge.ts'
import { useTitle } from '../../browser/use-title.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { EntryLayout } from './entry-layout.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Names the account that the form is for. */
function Account({ forge }: { forge: ConnectedForge }) {
  return (
    <p className="wrap-anywhere text-muted">
      Use the username and password of your account at{' '}
      <a href={forge.url} className="underline">
        {forge.url}
      </a>
      .
    </p>
  )
}

/**
 * With Gogs the form takes the forge's passwords; other forges have their own sign-in pages, and
 * the form is for accounts of this server.
 */
export function LoginPage() {
  const forge = connectedForge()
  useTitle('Sign in')
  const takesForgePasswords = forge?.sign_in === 'password'
  return (
    <EntryLayout title={takesForgePasswords ? `Sign in with your ${forge.title} account` : 'Sign in'}>
      {takesForgePasswords && <Account forge={forge} />}
      <SignInForm />
      {forge?.sign_in === 'oauth' && (
        <LinkButton external href={client.url('/login')}>
          Sign in with {forge.title}
        </LinkButton>
      )}
    </EntryLayout>
  )
}
