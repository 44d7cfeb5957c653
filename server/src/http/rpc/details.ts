/** The stage details that a runner receives, with the keys of docs/api §7.5. */
import type { StageContext } from '../../interfaces/runner.ts'

export const contextOf = (
  { build, stage, config, secrets, system, origin, repo, repoSecret }: StageContext,
  version = system.version,
) => ({
  build,
  stage,
  config: { Data: Buffer.from(config).toString('base64'), Hash: null },
  secrets: secrets.length > 0 ? secrets : null,
  system: { ...system, version },
  netrc: origin.netrc,
  repository: { ...repo, secret: repoSecret },
})
