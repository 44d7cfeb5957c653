/** `DRONE_SEMVER*` and `DRONE_CALVER*`, read from a tag (docs/api §6.7). */

type Variables = Record<string, string>

const semver = /^v?(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+([\w.-]+))?$/
const calver = /^v?((?:19|20|21)\d\d)\.(\d{1,2})(?:\.(\d+))?(?:[-.+](\w[\w.-]*))?$/

const semverVariables = (tag: string): Variables => {
  const found = semver.exec(tag)
  if (!found) return { DRONE_SEMVER_ERROR: `${tag} is not in dotted-tri format` }
  const [, major = '', minor = '', patch = '', prerelease, build] = found
  const short = `${major}.${minor}.${patch}`
  return {
    DRONE_SEMVER: `${short}${prerelease ? `-${prerelease}` : ''}${build ? `+${build}` : ''}`,
    DRONE_SEMVER_MAJOR: major,
    DRONE_SEMVER_MINOR: minor,
    DRONE_SEMVER_PATCH: patch,
    DRONE_SEMVER_SHORT: short,
    ...(prerelease ? { DRONE_SEMVER_PRERELEASE: prerelease } : {}),
    ...(build ? { DRONE_SEMVER_BUILD: build } : {}),
  }
}

const calverVariables = (tag: string): Variables => {
  const found = calver.exec(tag)
  if (!found) return {}
  const [, major = '', minor = '', micro = '', modifier = ''] = found
  return {
    DRONE_CALVER: tag.replace(/^v/, ''),
    DRONE_CALVER_MAJOR: major,
    DRONE_CALVER_MINOR: minor,
    DRONE_CALVER_MICRO: micro,
    DRONE_CALVER_MODIFIER: modifier,
    DRONE_CALVER_SHORT: [major, minor, ...(micro ? [micro] : [])].join('.'),
    DRONE_CALVER_MAJOR_MINOR: `${major}.${minor}`,
  }
}

export const versionVariables = (tag: string): Variables => ({ ...semverVariables(tag), ...calverVariables(tag) })
