import type { Build, Repo, Stage } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'
import { stepEnvironment, substitutionVariables } from './environment.ts'
import type { EnvironmentContext } from './environment-context.ts'
import { versionVariables } from './versions.ts'

const sha = '00a920af2933d6c04ba2b513f190fff38b513def'
const repo: Repo = {
  id: 6,
  uid: '6',
  user_id: 2,
  namespace: 'acme',
  name: 'vault',
  slug: 'acme/vault',
  scm: '',
  git_http_url: 'https://git.example.com/acme/vault.git',
  git_ssh_url: 'git@git.example.com:acme/vault.git',
  link: 'https://git.example.com/acme/vault',
  default_branch: 'master',
  private: true,
  visibility: 'private',
  active: true,
  config_path: '.drone.yml',
  trusted: false,
  protected: false,
  ignore_forks: false,
  ignore_pull_requests: false,
  auto_cancel_pull_requests: false,
  auto_cancel_pushes: false,
  auto_cancel_running: false,
  timeout: 60,
  counter: 5,
  synced: 0,
  created: 0,
  updated: 0,
  version: 1,
  archived: false,
}
const stage: Stage = {
  id: 71,
  repo_id: 6,
  build_id: 52,
  number: 1,
  name: 'default',
  kind: 'pipeline',
  type: 'exec',
  status: 'running',
  errignore: false,
  exit_code: 0,
  machine: 'runner-1',
  os: 'linux',
  arch: 'amd64',
  started: 1795246529,
  stopped: 0,
  created: 1795246529,
  updated: 1795246529,
  version: 2,
  on_success: true,
  on_failure: false,
}
const build: Build = {
  id: 52,
  repo_id: 6,
  trigger: '@hook',
  number: 5,
  status: 'pending',
  event: 'push',
  action: '',
  link: 'https://git.example.com/acme/vault/compare/a...b',
  timestamp: 0,
  message: 'secrets\n',
  before: '',
  after: sha,
  ref: 'refs/heads/master',
  source_repo: '',
  source: 'master',
  target: 'master',
  author_login: 'ann',
  author_name: 'Ann Example',
  author_email: 'ann@example.com',
  author_avatar: 'https://git.example.com/avatars/2',
  sender: 'ann',
  started: 0,
  finished: 0,
  created: 1795246529,
  updated: 1795246529,
  version: 1,
}
const context = (more: Partial<EnvironmentContext> = {}): EnvironmentContext => ({
  system: { proto: 'http', host: 'drone.example.com', link: 'https://drone.example.com', version: '2.25.0' },
  repo,
  build,
  stage,
  step: { name: 'use', number: 2 },
  workspace: '/work/src',
  home: '/work/home',
  now: 1795246529,
  ...more,
})
const withBuild = (more: Partial<Build>) => stepEnvironment(context({ build: { ...build, ...more } }))

/** What the real runner printed for this build (recordings `http/vault.json`), paths apart. */
const recorded = `CI=true
CI_BUILD_CREATED=1795246529
CI_BUILD_EVENT=push
CI_BUILD_FINISHED=0
CI_BUILD_LINK=https://git.example.com/acme/vault/compare/a...b
CI_BUILD_NUMBER=5
CI_BUILD_STARTED=0
CI_BUILD_STATUS=pending
CI_BUILD_TARGET=
CI_COMMIT_AUTHOR=ann
CI_COMMIT_AUTHOR_AVATAR=https://git.example.com/avatars/2
CI_COMMIT_AUTHOR_EMAIL=ann@example.com
CI_COMMIT_AUTHOR_NAME=Ann Example
CI_COMMIT_BRANCH=master
CI_COMMIT_REF=refs/heads/master
CI_COMMIT_SHA=${sha}
CI_PARENT_BUILD_NUMBER=0
CI_REMOTE_URL=https://git.example.com/acme/vault.git
CI_REPO=acme/vault
CI_REPO_LINK=https://git.example.com/acme/vault
CI_REPO_NAME=acme/vault
CI_REPO_PRIVATE=true
CI_REPO_REMOTE=https://git.example.com/acme/vault.git
DRONE=true
DRONE_BRANCH=master
DRONE_BUILD_ACTION=
DRONE_BUILD_CREATED=1795246529
DRONE_BUILD_EVENT=push
DRONE_BUILD_FINISHED=1795246529
DRONE_BUILD_LINK=https://drone.example.com/acme/vault/5
DRONE_BUILD_NUMBER=5
DRONE_BUILD_PARENT=0
DRONE_BUILD_STARTED=1795246529
DRONE_BUILD_STATUS=success
DRONE_COMMIT=${sha}
DRONE_COMMIT_AFTER=${sha}
DRONE_COMMIT_AUTHOR=ann
DRONE_COMMIT_AUTHOR_AVATAR=https://git.example.com/avatars/2
DRONE_COMMIT_AUTHOR_EMAIL=ann@example.com
DRONE_COMMIT_AUTHOR_NAME=Ann Example
DRONE_COMMIT_BEFORE=
DRONE_COMMIT_BRANCH=master
DRONE_COMMIT_LINK=https://git.example.com/acme/vault/compare/a...b
DRONE_COMMIT_REF=refs/heads/master
DRONE_COMMIT_SHA=${sha}
DRONE_DEPLOY_TO=
DRONE_GIT_HTTP_URL=https://git.example.com/acme/vault.git
DRONE_GIT_SSH_URL=git@git.example.com:acme/vault.git
DRONE_REMOTE_URL=https://git.example.com/acme/vault.git
DRONE_REPO=acme/vault
DRONE_REPO_BRANCH=master
DRONE_REPO_LINK=https://git.example.com/acme/vault
DRONE_REPO_NAME=vault
DRONE_REPO_NAMESPACE=acme
DRONE_REPO_OWNER=acme
DRONE_REPO_PRIVATE=true
DRONE_REPO_SCM=
DRONE_REPO_VISIBILITY=private
DRONE_SOURCE_BRANCH=master
DRONE_STAGE_ARCH=amd64
DRONE_STAGE_DEPENDS_ON=
DRONE_STAGE_FINISHED=1795246529
DRONE_STAGE_KIND=pipeline
DRONE_STAGE_MACHINE=runner-1
DRONE_STAGE_NAME=default
DRONE_STAGE_NUMBER=1
DRONE_STAGE_OS=linux
DRONE_STAGE_STARTED=1795246529
DRONE_STAGE_STATUS=success
DRONE_STAGE_TYPE=exec
DRONE_STAGE_VARIANT=
DRONE_STEP_NAME=use
DRONE_STEP_NUMBER=2
DRONE_SYSTEM_HOST=drone.example.com
DRONE_SYSTEM_HOSTNAME=drone.example.com
DRONE_SYSTEM_PROTO=http
DRONE_SYSTEM_VERSION=2.25.0
DRONE_TARGET_BRANCH=master`

describe('stepEnvironment', () => {
  it('has what the real runner had', () => {
    const expected = Object.fromEntries(recorded.split('\n').map((line) => line.split(/=(.*)/).slice(0, 2)))
    expect(stepEnvironment(context())).toMatchObject(expected)
    expect(stepEnvironment(context())).toMatchObject({ DRONE_WORKSPACE: '/work/src', HOME: '/work/home' })
  })

  it('has values for pull requests and tags only if there is one', () => {
    expect(withBuild({})).not.toHaveProperty('DRONE_PULL_REQUEST')
    expect(withBuild({})).not.toHaveProperty('DRONE_TAG')
    expect(withBuild({ event: 'pull_request', ref: 'refs/pull/42/head', title: 'T' })).toMatchObject({
      DRONE_PULL_REQUEST: '42',
      DRONE_PULL_REQUEST_TITLE: 'T',
    })
    expect(withBuild({ event: 'tag', ref: 'refs/tags/v1.2.3' })).toMatchObject({
      DRONE_TAG: 'v1.2.3',
      DRONE_SEMVER: '1.2.3',
    })
  })

  it('names what has failed', () => {
    const failedStep = {
      id: 1,
      step_id: 71,
      number: 1,
      name: 'test',
      status: 'failure' as const,
      exit_code: 1,
      version: 1,
    }
    const failing = { ...stage, steps: [failedStep, { ...failedStep, name: 'flaky', errignore: true }] }
    const other = { ...stage, number: 2, name: 'other', status: 'error' as const }
    expect(stepEnvironment(context({ build: { ...build, stages: [other, failing] }, stage: failing }))).toMatchObject({
      DRONE_BUILD_STATUS: 'failure',
      DRONE_FAILED_STAGES: 'default,other',
      DRONE_STAGE_STATUS: 'failure',
      DRONE_FAILED_STEPS: 'test',
    })
  })

  it('counts no failure that is ignored, but an error', () => {
    const one = (status: 'failure' | 'error', errignore: boolean) => ({
      ...stage,
      steps: [{ id: 1, step_id: 71, number: 1, name: 'test', status, errignore, exit_code: 1, version: 1 }],
    })
    const statusOf = (running: Stage) => stepEnvironment(context({ stage: running })).DRONE_STAGE_STATUS
    expect(statusOf(one('failure', true))).toBe('success')
    expect(statusOf(one('error', true))).toBe('failure')
    expect(statusOf(one('failure', false))).toBe('failure')
  })

  it('lists stages and steps with commas', () => {
    const failed = (number: number) => ({
      id: number,
      step_id: 71,
      number,
      name: `s${number}`,
      exit_code: 1,
      version: 1,
    })
    const env = stepEnvironment(
      context({
        stage: {
          ...stage,
          depends_on: ['a', 'b'],
          steps: [
            { ...failed(1), status: 'failure' },
            { ...failed(2), status: 'killed' },
          ],
        },
      }),
    )
    expect(env).toMatchObject({ DRONE_STAGE_DEPENDS_ON: 'a,b', DRONE_FAILED_STEPS: 's1,s2' })
    expect(stepEnvironment(context())).not.toHaveProperty('DRONE_FAILED_STEPS')
    expect(stepEnvironment(context())).not.toHaveProperty('DRONE_FAILED_STAGES')
  })

  it('says what was given, and what there is when nothing was', () => {
    const given = stepEnvironment(
      context({
        build: { ...build, debug: true, deploy_id: 7, deploy_to: 'prod', parent: 3, started: 11, finished: 12 },
        stage: { ...stage, started: 21, stopped: 22, variant: 'v7' },
      }),
    )
    expect(given).toMatchObject({
      DRONE_BUILD_DEBUG: 'true',
      DRONE_DEPLOY_ID: '7',
      DRONE_DEPLOY_TO: 'prod',
      DRONE_BUILD_PARENT: '3',
      DRONE_BUILD_STARTED: '11',
      DRONE_BUILD_FINISHED: '12',
      DRONE_STAGE_STARTED: '21',
      DRONE_STAGE_FINISHED: '22',
      DRONE_STAGE_VARIANT: 'v7',
      GIT_TERMINAL_PROMPT: '0',
    })
    const { kind: _kind, type: _type, machine: _machine, ...bare } = stage
    expect(
      stepEnvironment(context({ stage: { ...bare, started: 0 }, system: { ...context().system, link: '' } })),
    ).toMatchObject({
      DRONE_BUILD_DEBUG: 'false',
      DRONE_DEPLOY_ID: '0',
      DRONE_BUILD_LINK: 'http://drone.example.com/acme/vault/5',
      DRONE_STAGE_KIND: '',
      DRONE_STAGE_TYPE: '',
      DRONE_STAGE_MACHINE: '',
      DRONE_STAGE_STARTED: '1795246529',
    })
    expect(withBuild({ event: 'pull_request', ref: 'refs/merge/head' })).toMatchObject({
      DRONE_PULL_REQUEST: '',
      DRONE_PULL_REQUEST_TITLE: '',
    })
  })

  it('has parameters, except reserved names and values that a process cannot take', () => {
    const env = withBuild({ params: { COLOUR: 'red\0', DRONE_REPO: 'evil/repo', 'A=B': 'x', '': 'y' } })
    expect(env).toMatchObject({ COLOUR: 'red', DRONE_REPO: 'acme/vault' })
    expect(env).not.toHaveProperty('A=B')
    expect(Object.keys(env)).not.toContain('')
  })

  it.each([
    ['ann', 'Ann Example', 'a@x.org', 'ann'],
    ['Ann Example', 'Ann Example', 'ann.e@x.org', 'ann.e'],
    ['', 'Ann', '123+ann@users.forge.org', 'ann'],
    ['', 'Ann', '', 'Ann'],
  ])('tells the login apart from the name: %s, %s, %s', (login, name, email, expected) => {
    expect(withBuild({ author_login: login, author_name: name, author_email: email })).toMatchObject({
      DRONE_COMMIT_AUTHOR: expected,
      DRONE_COMMIT_AUTHOR_NAME: name,
      CI_COMMIT_AUTHOR: expected,
    })
  })

  it('names an author for commits made by steps', () => {
    expect(withBuild({ author_name: '', author_email: '' })).toMatchObject({
      GIT_AUTHOR_NAME: 'drone',
      GIT_COMMITTER_EMAIL: 'noreply@drone',
    })
  })
})

it('substitutionVariables lets the parameters win', () => {
  const params = { DRONE_BRANCH: 'mine' }
  expect(substitutionVariables(context({ build: { ...build, params } })).DRONE_BRANCH).toBe('mine')
})

describe('versionVariables', () => {
  it('reads semantic versions', () => {
    expect(versionVariables('v1.2.3-rc.1+abc')).toEqual({
      DRONE_SEMVER: '1.2.3-rc.1+abc',
      DRONE_SEMVER_MAJOR: '1',
      DRONE_SEMVER_MINOR: '2',
      DRONE_SEMVER_PATCH: '3',
      DRONE_SEMVER_SHORT: '1.2.3',
      DRONE_SEMVER_PRERELEASE: 'rc.1',
      DRONE_SEMVER_BUILD: 'abc',
    })
    expect(versionVariables('1.2.3')).not.toHaveProperty('DRONE_SEMVER_PRERELEASE')
    expect(versionVariables('nightly')).toEqual({ DRONE_SEMVER_ERROR: 'nightly is not in dotted-tri format' })
  })
  it('reads calendar versions', () => {
    expect(versionVariables('v2026.11.21-beta')).toMatchObject({
      DRONE_CALVER: '2026.11.21-beta',
      DRONE_CALVER_MAJOR: '2026',
      DRONE_CALVER_MINOR: '11',
      DRONE_CALVER_MICRO: '21',
      DRONE_CALVER_MODIFIER: 'beta',
      DRONE_CALVER_SHORT: '2026.11.21',
      DRONE_CALVER_MAJOR_MINOR: '2026.11',
    })
    expect(versionVariables('2026.11')).toMatchObject({
      DRONE_CALVER: '2026.11',
      DRONE_CALVER_MICRO: '',
      DRONE_CALVER_MODIFIER: '',
      DRONE_CALVER_SHORT: '2026.11',
    })
    expect(versionVariables('2026.11-v2').DRONE_CALVER).toBe('2026.11-v2')
    for (const tag of ['v1.2.3', '1826.11', '2226.1', '2026', '2026.111', 'x2026.11', '2026.11x', '2026.11-']) {
      expect(versionVariables(tag)).not.toHaveProperty('DRONE_CALVER')
    }
  })
})
