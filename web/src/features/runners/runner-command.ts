/** How Drone's own Docker runner is started beside this server. */
export interface RunnerAddress {
  proto: string
  host: string
}

/** A word as a shell takes it. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** What stands for a secret that is not shown. */
export const hiddenSecret = 'SECRET'

export const runnerCommand = ({ proto, host }: RunnerAddress, secret = hiddenSecret): string => {
  const variables = {
    DRONE_RPC_PROTO: proto,
    DRONE_RPC_HOST: host,
    DRONE_RPC_SECRET: secret,
    DRONE_RUNNER_CAPACITY: '2',
    DRONE_RUNNER_NAME: 'docker-1',
  }
  return [
    'docker run --detach --restart always --name flightdeck-runner',
    '  --volume /var/run/docker.sock:/var/run/docker.sock',
    ...Object.entries(variables).map(([name, value]) => `  --env ${name}=${quoted(value)}`),
    '  drone/drone-runner-docker:1',
  ].join(' \\\n')
}

/** Where nobody but this machine itself gets to. */
export const isLocal = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host)
