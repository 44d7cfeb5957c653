import type { Build } from '@flightdeck/api'

/**
 * What scripts use as the author's login. A commit in a local repository has a name and an address only, and its build can have the name
 * as the login; then it is the part before the `@` of the address, which for private addresses of forges (`123+ann@…`) is the login.
 */
export function authorLogin({ author_login: login, author_email: email, author_name: name }: AuthorFacts): string {
  if (login !== '' && !/\s/.test(login)) return login
  const local = email.slice(0, Math.max(0, email.lastIndexOf('@')))
  return local.replace(/^\d+\+/, '') || login || name
}

type AuthorFacts = Pick<Build, 'author_login' | 'author_email' | 'author_name'>
