/**
 * The credentials with which a build clones. Nothing is stored: login and password are derived from
 * the build and a server key, so they survive a restart; each use checks that the build is still
 * running.
 */
import type { Netrc } from '../../interfaces/origin.ts'
import { isSameSecret } from '../../lib/same-secret.ts'

export interface Credentials {
  of(build: { id: number; repo_id: number }, cloneUrl: string): Netrc
  /** The build that a login refers to; not authenticated. */
  buildOf(login: string): number | null
  isPassword(build: { id: number; repo_id: number }, password: string): boolean
}

/** `derive`: a keyed hash that only this server can compute. */
export function createCredentials(derive: (text: string) => string): Credentials {
  const passwordOf = (build: { id: number; repo_id: number }) => derive(`clone ${build.repo_id} ${build.id}`)
  return {
    of: (build, cloneUrl) => ({
      // git looks it up without the port.
      machine: new URL(cloneUrl).hostname,
      login: `build-${build.id}`,
      password: passwordOf(build),
    }),
    buildOf(login) {
      const id = /^build-([1-9]\d{0,14})$/.exec(login)?.[1]
      return id === undefined ? null : Number(id)
    },
    isPassword: (build, password) => isSameSecret(password, passwordOf(build)),
  }
}
