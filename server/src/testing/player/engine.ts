/**
 * Runs steps as containers, as the official Docker runner does: a network and a volume for each
 * stage, the same labels.
 */
import { randomBytes } from 'node:crypto'
import type { Stage } from '@flightdeck/api'
import { createDocker, numberOf, textOf, type Docker, type Json } from '../../docker/api.ts'
import { docOf, type Details, type PlayerOptions, type StepContext } from './player.ts'

interface Shared {
  id: string
  labels: Record<string, string>
  containers: string[]
}

const labelsOf = ({ build, stage, system, repository }: Details): Record<string, string> => ({
  'io.drone': 'true',
  'io.drone.protected': 'false',
  'io.drone.repo.slug': repository.slug,
  'io.drone.build.number': String(build.number),
  'io.drone.stage.name': stage.name,
  'io.drone.stage.number': String(stage.number),
  'io.drone.system.host': system.host,
  'io.drone.system.proto': system.proto,
  'io.drone.system.version': system.version,
})

const environmentOf = ({ build, netrc, repository, system }: Details): string[] =>
  Object.entries({
    DRONE_REMOTE_URL: repository.git_http_url,
    DRONE_COMMIT_SHA: build.after,
    DRONE_COMMIT_REF: build.ref,
    DRONE_SYSTEM_HOST: system.host,
    DRONE_SYSTEM_VERSION: system.version,
    DRONE_NETRC_MACHINE: netrc?.machine ?? '',
    DRONE_NETRC_USERNAME: netrc?.login ?? '',
    DRONE_NETRC_PASSWORD: netrc?.password ?? '',
  }).map(([name, value]) => `${name}=${value}`)

/**
 * Docker's frames of a container's output: a header of eight bytes, whose last four are the length
 * of the data.
 */
async function follow(docker: Docker, id: string, log: (line: string) => void): Promise<void> {
  const response = await docker.stream(`/containers/${id}/logs?follow=1&stdout=1&stderr=1`)
  let packed = Buffer.alloc(0)
  let text = ''
  for await (const chunk of response as AsyncIterable<Buffer>) {
    packed = Buffer.concat([packed, chunk])
    while (packed.length >= 8 && packed.length >= 8 + packed.readUInt32BE(4)) {
      const end = 8 + packed.readUInt32BE(4)
      text += packed.toString('utf8', 8, end)
      packed = packed.subarray(end)
    }
    const lines = text.split(/(?<=\n)/)
    text = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '')
    for (const line of lines) log(line)
  }
  if (text) log(text)
}

export function createEngine(
  socket: string,
  cloneImage: string,
  memory: number,
): Required<Pick<PlayerOptions, 'run' | 'destroy'>> {
  const docker = createDocker(socket, '/v1.41')
  const stages = new Map<number, Shared>()

  async function setUp(details: Details): Promise<Shared> {
    const existing = stages.get(details.stage.id)
    if (existing) return existing
    const shared = { id: `drone-${randomBytes(10).toString('hex')}`, labels: labelsOf(details), containers: [] }
    stages.set(details.stage.id, shared)
    const { id, labels } = shared
    await docker.fetchJson('/volumes/create', { method: 'POST', body: { Name: id, Driver: 'local', Labels: labels } })
    await docker.fetchJson('/networks/create', { method: 'POST', body: { Name: id, Driver: 'bridge', Labels: labels } })
    return shared
  }

  async function run({ details, step, signal, log }: StepContext): Promise<number> {
    const shared = await setUp(details)
    const doc = docOf(details)?.steps.find((one) => one.name === step.name)
    const script = ['set -e', ...(doc?.commands ?? [])].join('\n')
    const body: Json = {
      Image: doc?.image ?? cloneImage,
      Env: environmentOf(details),
      Labels: shared.labels,
      WorkingDir: '/drone/src',
      HostConfig: {
        Binds: [`${shared.id}:/drone/src`],
        NetworkMode: shared.id,
        ...(memory > 0 && { Memory: memory }),
      },
      ...(doc && { Entrypoint: ['/bin/sh', '-c'], Cmd: [script] }),
    }
    const id = textOf(await docker.fetchJson('/containers/create', { method: 'POST', body }), 'Id')
    shared.containers.push(id)
    signal.throwIfAborted()
    const kill = () => void docker.fetchJson(`/containers/${id}/kill`, { method: 'POST' }).catch(() => {})
    signal.addEventListener('abort', kill)
    await docker.fetchJson(`/containers/${id}/start`, { method: 'POST' })
    await follow(docker, id, log)
    return numberOf(await docker.fetchJson(`/containers/${id}/wait`, { method: 'POST' }), 'StatusCode')
  }

  async function destroy({ id: stageId }: Stage): Promise<void> {
    const shared = stages.get(stageId)
    stages.delete(stageId)
    if (!shared) return
    const end = (path: string) => docker.fetchJson(path, { method: 'DELETE' }).catch(() => null)
    for (const id of shared.containers) await end(`/containers/${id}?force=1&v=1`)
    await end(`/volumes/${shared.id}?force=1`)
    await end(`/networks/${shared.id}`)
  }
  return { run, destroy }
}
