/** Determines the `origin` of a step's clone for every kind of runner. */
import type { Build, Repo } from '@flightdeck/api'
import type { FindOrigin, Origin } from '../interfaces/origin.ts'
import type { Credentials } from './remote/credentials.ts'

export interface Origins {
  /**
   * `reach`: the address at which this runner reaches the server, if it differs from the address
   * for browsers; without a trailing slash. Not used for repositories on a Git host.
   */
  of(build: Build, repo: Repo, reach?: string): Promise<Origin>
}

/** `link`: the address of this server for browsers. */
export function createOrigins(credentials: Credentials, elsewhere: FindOrigin = async () => null, link = ''): Origins {
  return {
    async of(build, repo, reach) {
      const found = await elsewhere(build, repo)
      if (found === 'mirror') {
        const url = `${reach ?? link}/${encodeURIComponent(repo.namespace)}/${encodeURIComponent(repo.name)}.git`
        return { url, netrc: credentials.of(build, url) }
      }
      if (found) return found
      // Rows that no sync has completed have no address yet.
      if (repo.git_http_url === '') return { url: '', netrc: null }
      const url = reach === undefined ? repo.git_http_url : `${reach}${new URL(repo.git_http_url).pathname}`
      return { url, netrc: credentials.of(build, url) }
    },
  }
}
