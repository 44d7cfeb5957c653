/** The commands that start Drone's own runners for this server (docs/guide). */
import type { RunnerNeeds } from '@flightdeck/api'

export interface RunnerAddress {
  proto: string
  host: string
}

/** A shell-quoted word. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** The placeholder for a hidden secret. */
export const hiddenSecret = 'SECRET'

type Variables = Readonly<Record<string, string>>

const pairs = (variables: Variables): string[] =>
  Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`)

const container = (image: string, variables: Variables, ...options: string[]): string =>
  [
    'docker run --detach --restart always --name flightdeck-runner',
    ...[...options, ...pairs(variables).map((pair) => `--env ${pair}`), image].map((part) => `  ${part}`),
  ].join(' \\\n')

const program = (variables: Variables): string => [...pairs(variables), 'drone-runner-exec daemon'].join(' \\\n')

/** The manifest of the guide takes all its settings of this server from this secret. */
const cluster = (variables: Variables): string =>
  [
    'kubectl create namespace ci\nkubectl -n ci create secret generic flightdeck-runner',
    ...pairs(variables).map((pair) => `  --from-literal=${pair}`),
  ].join(' \\\n')

/** A runner accepts stages with exactly its labels. */
const labelsOf = ({ labels = {} }: RunnerNeeds): Variables => {
  const all = Object.entries(labels).map(([name, value]) => `${name}:${value}`)
  return all.length > 0 ? { DRONE_RUNNER_LABELS: all.join(',') } : {}
}

export interface RunnerStart {
  title: string
  command: string
  /** The page of the guide with details. */
  guide?: string
}

/** Most Docker hosts have it, so only another one is worth a word. */
const usualPlatform = 'linux/amd64'

/** Without this, official runners lose the last lines of some logs. */
const readToTheEnd: Variables = { DRONE_DEFER_TAIL_LOG: 'true' }

/** The command that starts a runner for this kind of stage, on this machine or another one. */
export const runnerStart = (
  { proto, host }: RunnerAddress,
  secret = hiddenSecret,
  needs: RunnerNeeds = { type: 'docker' },
): RunnerStart => {
  const { type = 'docker' } = needs
  const platform = [needs.os, needs.arch].filter(Boolean).join('/')
  const address = { DRONE_RPC_PROTO: proto, DRONE_RPC_HOST: host, DRONE_RPC_SECRET: secret }
  const variables = {
    ...address,
    DRONE_RUNNER_CAPACITY: '2',
    DRONE_RUNNER_NAME: `${type}-1`,
    ...readToTheEnd,
    ...labelsOf(needs),
  }
  switch (type) {
    case 'docker':
      return {
        title: `Start Drone’s runner on a Docker host${platform && platform !== usualPlatform ? ` with ${platform}` : ''}`,
        command: container(
          'drone/drone-runner-docker:1',
          variables,
          '--volume /var/run/docker.sock:/var/run/docker.sock',
        ),
      }
    case 'ssh':
      return {
        title: 'Start Drone’s SSH runner on any machine that can reach this server and the pipeline’s host',
        command: container('drone/drone-runner-ssh', variables),
        guide: 'docs/guide/ssh.md',
      }
    case 'kubernetes':
      return {
        title: 'Give the cluster this server’s address, then apply the manifest from the guide',
        command: cluster({ ...address, ...labelsOf(needs) }),
        guide: 'docs/guide/kubernetes.md',
      }
    case 'exec':
      return {
        title: `Start Drone’s exec runner on a machine with ${platform || 'this platform'}`,
        command: program(variables),
        guide: 'docs/guide/exec-on-other-machines.md',
      }
    default:
      return {
        title: `Start Drone’s runner for pipelines of type ${type} with these settings`,
        command: pairs(variables).join('\n'),
      }
  }
}

const labelsKey = ({ labels = {} }: RunnerNeeds): string =>
  JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/**
 * Whether a runner with this filter would accept a stage with these needs: type, platform and
 * exactly the labels.
 */
export const canTake = (runner: RunnerNeeds, needs: RunnerNeeds): boolean =>
  runner.type === needs.type &&
  (needs.os ?? runner.os) === runner.os &&
  (needs.arch ?? runner.arch) === runner.arch &&
  (needs.variant ?? runner.variant) === runner.variant &&
  (needs.kernel ?? runner.kernel) === runner.kernel &&
  labelsKey(runner) === labelsKey(needs)

/** Whether the host is reachable only from this machine. */
export const isLocal = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host)
