/** The variables of a step (docs/api §6.7) that apply to exec pipelines. */
import type { Build, Stage, Step } from '@flightdeck/api'
import { isFailed } from '@flightdeck/api'

import { authorLogin } from './author-login.ts'
import type { EnvironmentContext } from './environment-context.ts'
import { legacyVariables } from './environment-legacy.ts'
import { versionVariables } from './versions.ts'

type Variables = Record<string, string>

const system = ({ system: { proto, host, version } }: EnvironmentContext): Variables => ({
  CI: 'true',
  DRONE: 'true',
  DRONE_SYSTEM_PROTO: proto,
  DRONE_SYSTEM_HOST: host,
  DRONE_SYSTEM_HOSTNAME: host,
  DRONE_SYSTEM_VERSION: version,
})

const repository = ({ repo }: EnvironmentContext): Variables => ({
  DRONE_REPO: repo.slug,
  DRONE_REPO_SCM: repo.scm,
  DRONE_REPO_OWNER: repo.namespace,
  DRONE_REPO_NAMESPACE: repo.namespace,
  DRONE_REPO_NAME: repo.name,
  DRONE_REPO_LINK: repo.link,
  DRONE_REPO_BRANCH: repo.default_branch,
  DRONE_REPO_VISIBILITY: repo.visibility,
  DRONE_REPO_PRIVATE: String(repo.private),
  DRONE_REMOTE_URL: repo.git_http_url,
  DRONE_GIT_HTTP_URL: repo.git_http_url,
  DRONE_GIT_SSH_URL: repo.git_ssh_url,
})

const commit = ({ build }: EnvironmentContext): Variables => ({
  DRONE_BRANCH: build.target,
  DRONE_TARGET_BRANCH: build.target,
  DRONE_SOURCE_BRANCH: build.source,
  DRONE_COMMIT: build.after,
  DRONE_COMMIT_SHA: build.after,
  DRONE_COMMIT_AFTER: build.after,
  DRONE_COMMIT_BEFORE: build.before,
  DRONE_COMMIT_BRANCH: build.target,
  DRONE_COMMIT_REF: build.ref,
  DRONE_COMMIT_LINK: build.link,
  DRONE_COMMIT_MESSAGE: build.message,
  DRONE_COMMIT_AUTHOR: authorLogin(build),
  DRONE_COMMIT_AUTHOR_NAME: build.author_name,
  DRONE_COMMIT_AUTHOR_EMAIL: build.author_email,
  DRONE_COMMIT_AUTHOR_AVATAR: build.author_avatar,
})

/** Only the variables of the build's event. */
const reference = ({ build }: EnvironmentContext): Variables => {
  const variables: Variables = {}
  if (build.event === 'pull_request') {
    variables.DRONE_PULL_REQUEST = /\d+/.exec(build.ref)?.[0] ?? ''
    variables.DRONE_PULL_REQUEST_TITLE = build.title ?? ''
  }
  if (!build.ref.startsWith('refs/tags/')) return variables
  const tag = build.ref.slice('refs/tags/'.length)
  return { ...variables, DRONE_TAG: tag, ...versionVariables(tag) }
}

/** The exec runner ignores failures, not errors (docs/api §5.7). */
const counts = (step: Step): boolean => isFailed(step.status) && !(step.status === 'failure' && step.errignore)

/** While a stage is running, its steps decide. */
const isFailing = (stage: Stage): boolean => isFailed(stage.status) || (stage.steps ?? []).some(counts)

/** The other stages are as they were when this stage began; this stage's own state is newer. */
const stagesNow = ({ build, stage }: EnvironmentContext): Stage[] => {
  const others = (build.stages ?? []).filter((other) => other.number !== stage.number)
  return [...others, stage].toSorted((a, b) => a.number - b.number)
}

const run = (context: EnvironmentContext): Variables => {
  const {
    build,
    repo,
    system: { proto, host, link },
    now,
  } = context
  const failed = stagesNow(context).filter(isFailing)
  const failing = failed.length > 0 || isFailed(build.status)
  return {
    DRONE_BUILD_NUMBER: String(build.number),
    DRONE_BUILD_PARENT: String(build.parent ?? 0),
    DRONE_BUILD_EVENT: build.event,
    DRONE_BUILD_ACTION: build.action,
    DRONE_BUILD_TRIGGER: build.trigger,
    DRONE_BUILD_DEBUG: String(build.debug ?? false),
    DRONE_BUILD_CREATED: String(build.created),
    DRONE_BUILD_STARTED: String(build.started || now),
    DRONE_BUILD_FINISHED: String(build.finished || now),
    DRONE_BUILD_STATUS: failing ? 'failure' : 'success',
    DRONE_BUILD_LINK: `${link || `${proto}://${host}`}/${repo.slug}/${build.number}`,
    DRONE_DEPLOY_TO: build.deploy_to ?? '',
    DRONE_DEPLOY_ID: String(build.deploy_id ?? 0),
    ...(failing ? { DRONE_FAILED_STAGES: failed.map((stage) => stage.name).join(',') } : {}),
  }
}

const stageAndStep = ({ stage, step, now }: EnvironmentContext): Variables => {
  const failed = (stage.steps ?? []).filter(counts)
  const failing = isFailing(stage)
  return {
    DRONE_STAGE_KIND: stage.kind ?? '',
    DRONE_STAGE_TYPE: stage.type ?? '',
    DRONE_STAGE_NAME: stage.name,
    DRONE_STAGE_NUMBER: String(stage.number),
    DRONE_STAGE_MACHINE: stage.machine ?? '',
    DRONE_STAGE_OS: stage.os,
    DRONE_STAGE_ARCH: stage.arch,
    DRONE_STAGE_VARIANT: stage.variant ?? '',
    DRONE_STAGE_VERSION: String(stage.version),
    DRONE_STAGE_STATUS: failing ? 'failure' : 'success',
    DRONE_STAGE_STARTED: String(stage.started || now),
    DRONE_STAGE_FINISHED: String(stage.stopped || now),
    DRONE_STAGE_DEPENDS_ON: (stage.depends_on ?? []).join(','),
    ...(failing ? { DRONE_FAILED_STEPS: failed.map((other) => other.name).join(',') } : {}),
    ...(step ? { DRONE_STEP_NAME: step.name, DRONE_STEP_NUMBER: String(step.number) } : {}),
  }
}

const folderVariables = ({ workspace, home }: EnvironmentContext): Variables => ({
  ...(workspace ? { DRONE_WORKSPACE: workspace } : {}),
  ...(home ? { DRONE_HOME: home, HOME: home } : {}),
})

/** The author of commits created in a step. */
export const identity = (build: Pick<Build, 'author_name' | 'author_email'>): Variables => {
  const name = build.author_name || 'drone'
  const email = build.author_email || 'noreply@drone'
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  }
}

const git = ({ build }: EnvironmentContext): Variables => ({ ...identity(build), GIT_TERMINAL_PROMPT: '0' })

/** An environment cannot hold a name with `=` or a value with a NUL. */
const usable = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables)
      .filter(([name]) => name !== '' && !/[=\0]/.test(name))
      .map(([name, value]) => [name, value.replaceAll('\0', '')]),
  )

/**
 * Build parameters come first, so that they cannot override any other variable. The step's own
 * variables are added later and override these.
 */
export const stepEnvironment = (context: EnvironmentContext): Record<string, string> =>
  usable({
    ...context.build.params,
    ...system(context),
    ...repository(context),
    ...commit(context),
    ...reference(context),
    ...run(context),
    ...stageAndStep(context),
    ...git(context),
    ...folderVariables(context),
    ...legacyVariables(context),
  })

/**
 * The variables for `${VAR}` in the pipeline file; here build parameters override the others
 * (docs/api §6.1).
 */
export const substitutionVariables = (context: EnvironmentContext): Record<string, string> => ({
  ...system(context),
  ...repository(context),
  ...commit(context),
  ...reference(context),
  ...run(context),
  ...stageAndStep(context),
  ...legacyVariables(context),
  ...context.build.params,
})
