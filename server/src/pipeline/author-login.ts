import type { Build } from '@flightdeck/api'

/**
 * The author's login for scripts. A commit in a local repository has only a name and an email
 * address, and its build may use the name as the login. In that case this is the part before the
 * `@` of the address; in a forge's private address (`123+ann@…`) it is the forge login.
 */
export function authorLogin({ author_login: login, author_email: email, author_name: name }: AuthorFacts): string {
  if (login !== '' && !/\s/.test(login)) return login
  const local = email.slice(0, Math.max(0, email.lastIndexOf('@')))
  return local.replace(/^\d+\+/, '') || login || name
}

type AuthorFacts = Pick<Build, 'author_login' | 'author_email' | 'author_name'>
