/** Removes what a runner of this server has in Docker, after a clean stop or after a crash. */
import { DockerRefusal, fieldOf, listOf, textOf, type Docker, type Json } from './api.ts'
import { isVersionOf, runnerLabel, versionLabel } from './labels.ts'

const filter = (label: string): string => `filters=${encodeURIComponent(JSON.stringify({ label: [label] }))}`

/** Objects that are already removed, or being removed, are ignored. */
async function remove(docker: Docker, path: string): Promise<void> {
  try {
    await docker.fetchJson(path, { method: 'DELETE' })
  } catch (error) {
    if (!(error instanceof DockerRefusal) || ![404, 409].includes(error.status)) throw error
  }
}

const isOfStep = (item: Json, tag: string): boolean => {
  const version = fieldOf(fieldOf(item, 'Labels'), versionLabel)
  return typeof version === 'string' && isVersionOf(version, tag)
}

/**
 * First the runner, which would start more; then its steps, and what they shared. Answers how many
 * containers there were.
 */
export async function removeContainers(docker: Docker, tag: string): Promise<number> {
  let removed = 0
  const end = async (container: Json) => {
    removed += 1
    await remove(docker, `/containers/${textOf(container, 'Id')}?force=1&v=1`)
  }
  const runners = await docker.fetchJson(`/containers/json?all=1&${filter(`${runnerLabel}=${tag}`)}`)
  for (const container of listOf(runners)) await end(container)
  // It may have asked for one more in its last moment, so once more when there were some.
  for (let more = true; more;) {
    const all = listOf(await docker.fetchJson(`/containers/json?all=1&${filter(versionLabel)}`))
    const steps = all.filter((container) => isOfStep(container, tag))
    for (const container of steps) await end(container)
    more = steps.length > 0
  }
  const volumes = listOf(fieldOf(await docker.fetchJson(`/volumes?${filter(versionLabel)}`), 'Volumes'))
  for (const volume of volumes) {
    if (isOfStep(volume, tag)) await remove(docker, `/volumes/${encodeURIComponent(textOf(volume, 'Name'))}?force=1`)
  }
  const networks = listOf(await docker.fetchJson(`/networks?${filter(versionLabel)}`))
  for (const network of networks) if (isOfStep(network, tag)) await remove(docker, `/networks/${textOf(network, 'Id')}`)
  return removed
}

export async function removeNetworks(docker: Docker, tag: string): Promise<void> {
  for (const network of listOf(await docker.fetchJson(`/networks?${filter(`${runnerLabel}=${tag}`)}`))) {
    await remove(docker, `/networks/${textOf(network, 'Id')}`)
  }
}
