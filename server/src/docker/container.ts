/** The runner's container: its environment, its limits, and its log. */
import { fieldOf, numberOf, textOf, type Docker, type Json, type KnownDocker } from './api.ts'
import { labelOf } from './labels.ts'

export interface RunnerSettings {
  image: string
  /** How many stages run at the same time. */
  capacity: number
  /** Bytes that a container of a step may use; without it, all there are. */
  memory: number | undefined
  /** Pipelines must ask for exactly these. */
  labels: Readonly<Record<string, string>>
}

export interface RunnerContainer {
  settings: RunnerSettings
  tag: string
  /** As stages show it. */
  name: string
  network: string
  /** Where containers reach this server. */
  server: string
  secret: string
}

/** The API version that official runners use by default. */
const spoken = 24

/**
 * Uses the names of docs/api/runners.md. Contains a secret, because official runners only accept it
 * this way.
 */
function environmentOf(docker: KnownDocker, { settings, name, server, secret }: RunnerContainer): string[] {
  const url = new URL(server)
  const labels = Object.entries(settings.labels).map(([key, value]) => `${key}:${value}`)
  return [
    `DRONE_RPC_PROTO=${url.protocol.slice(0, -1)}`,
    `DRONE_RPC_HOST=${url.host}`,
    `DRONE_RPC_SECRET=${secret}`,
    `DRONE_RUNNER_NAME=${name}`,
    `DRONE_RUNNER_CAPACITY=${settings.capacity}`,
    ...(labels.length > 0 ? [`DRONE_RUNNER_LABELS=${labels.join(',')}`] : []),
    ...(settings.memory === undefined ? [] : [`DRONE_MEMORY_LIMIT=${settings.memory}`]),
    'DRONE_UI_DISABLE=true',
    // Otherwise the runner may stop reading a step's output when the step ends, and its last lines
    // are lost.
    'DRONE_DEFER_TAIL_LOG=true',
    // Docker 29 refuses what they would speak otherwise.
    ...(Number(docker.minVersion.split('.')[1]) > spoken ? [`DOCKER_API_VERSION=${docker.minVersion}`] : []),
  ]
}

/** Creates and starts it; answers its id. */
export async function startContainer(docker: KnownDocker, container: RunnerContainer): Promise<string> {
  const body: Json = {
    Image: container.settings.image,
    Env: environmentOf(docker, container),
    Labels: labelOf(container.tag),
    HostConfig: {
      Binds: [`${docker.socket}:/var/run/docker.sock`],
      NetworkMode: container.network,
      RestartPolicy: { Name: 'no' },
      // A runner that complains for weeks must not fill the disk.
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
    },
  }
  const name = `flightdeck-runner-${container.tag}`
  const made = await docker.fetchJson(`/containers/create?name=${name}`, { method: 'POST', body })
  const id = textOf(made, 'Id')
  await docker.fetchJson(`/containers/${id}/start`, { method: 'POST' })
  return id
}

/** Resolves with its exit code when it has ended. */
export async function ended(docker: Docker, id: string, signal: AbortSignal): Promise<number> {
  const answer = await docker.fetchJson(`/containers/${id}/wait`, { method: 'POST', signal })
  return numberOf(answer, 'StatusCode')
}

export async function isRunning(docker: Docker, id: string): Promise<boolean> {
  return fieldOf(fieldOf(await docker.fetchJson(`/containers/${id}/json`), 'State'), 'Running') === true
}

/** Paused (`docker pause`): it responds to nothing and does not end without help. */
export async function isPaused(docker: Docker, id: string): Promise<boolean> {
  return fieldOf(fieldOf(await docker.fetchJson(`/containers/${id}/json`), 'State'), 'Paused') === true
}

/**
 * Its last words. Docker packs what it says: a head of eight bytes, the last four the length of
 * what follows.
 */
export async function lastWords(docker: Docker, id: string): Promise<string> {
  const packed = await docker.bytes(`/containers/${id}/logs?stdout=1&stderr=1&tail=3`)
  const parts: string[] = []
  for (let at = 0; at + 8 <= packed.length;) {
    const length = packed.readUInt32BE(at + 4)
    parts.push(packed.toString('utf8', at + 8, at + 8 + length))
    at += 8 + length
  }
  return parts.join('').trim()
}
