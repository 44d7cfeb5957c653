/**
 * By what the things of one server are found again in a Docker that belongs to many: its own by a
 * label, and what its runner made for steps by the version of the system, which runners write on
 * every container, volume and network of theirs.
 */
import { createHash } from 'node:crypto'

/** Identifies a data folder, the same at every start. It has no meaning outside Docker. */
export const tagOf = (folderMark: string): string =>
  createHash('sha256').update(`docker ${folderMark}`).digest('hex').slice(0, 10)

export const runnerLabel = 'flightdeck.runner-of'
export const labelOf = (tag: string): Record<string, string> => ({ [runnerLabel]: tag })

/**
 * The part after the `+` of a version identifies the build, and is ignored in comparisons
 * (semver.org, 10).
 */
export const versionFor = (version: string, tag: string): string => `${version}+docker.${tag}`
export const versionLabel = 'io.drone.system.version'
export const isVersionOf = (version: string, tag: string): boolean => version.endsWith(`+docker.${tag}`)
