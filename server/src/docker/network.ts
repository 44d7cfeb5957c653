/** The runner's network. Its gateway is an address of this machine that containers can reach. */
import { DockerRefusal, fieldOf, listOf, textOf, type Docker } from './api.ts'
import { isIPv4 } from 'node:net'
import { labelOf } from './labels.ts'

export interface RunnerNetwork {
  name: string
  /** What this machine is called in it. */
  gateway: string
  /** It was made here, so it is removed here. */
  isOwn: boolean
}

export class NoNetwork extends Error {
  override readonly name = 'NoNetwork'
}

async function find(docker: Docker, name: string) {
  try {
    return await docker.fetchJson(`/networks/${encodeURIComponent(name)}`)
  } catch (error) {
    if (error instanceof DockerRefusal && error.status === 404) return undefined
    throw error
  }
}

/** `given`: an existing network; without it, we create our own. */
export async function prepareNetwork(docker: Docker, given: string | undefined, tag: string): Promise<RunnerNetwork> {
  const name = given ?? `flightdeck-${tag}`
  let network = await find(docker, name)
  if (network === undefined) {
    if (given !== undefined) throw new NoNetwork(`Docker has no network called ${given} (--docker-network)`)
    const body = { Name: name, Driver: 'bridge', CheckDuplicate: true, Labels: labelOf(tag) }
    await docker.fetchJson('/networks/create', { method: 'POST', body })
    network = await find(docker, name)
  }
  const gateways = listOf(fieldOf(fieldOf(network, 'IPAM'), 'Config')).map((config) => textOf(config, 'Gateway'))
  // Some versions append the prefix length.
  const gateway = gateways.map((text) => text.split('/', 1)[0] ?? '').find((text) => isIPv4(text))
  const driver = textOf(network, 'Driver')
  if (driver !== 'bridge' || fieldOf(network, 'Internal') === true || gateway === undefined) {
    throw new NoNetwork(
      `Containers in Docker network ${name} can’t reach this machine: use a non-internal bridge network with an IPv4 gateway (--docker-network)`,
    )
  }
  return { name, gateway, isOwn: given === undefined }
}

/** Docker keeps the network if other containers use it. */
export const removeNetwork = async (docker: Docker, { name }: RunnerNetwork): Promise<void> => {
  await docker.fetchJson(`/networks/${encodeURIComponent(name)}`, { method: 'DELETE' }).catch(() => {})
}
