/** Pulls the runner's image if it is missing, and reports progress. */
import { DockerRefusal, fieldOf, numberOf, textOf, type Docker, type Json } from './api.ts'

export interface FetchOptions {
  image: string
  say: (message: string) => void
  signal: AbortSignal
  /** Milliseconds between two messages about it. */
  everyMs?: number
}

export async function hasImage(docker: Docker, image: string): Promise<boolean> {
  try {
    await docker.fetchJson(`/images/${encodeURIComponent(image)}/json`)
    return true
  } catch (error) {
    if (error instanceof DockerRefusal && error.status === 404) return false
    throw error
  }
}

/** Without a tag Docker would fetch all there are. */
export function withTag(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1)
  return /[:@]/.test(name) ? image : `${image}:latest`
}

const maxLineLength = 1024 * 1024

/** Docker's answer is one object a line. */
async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<Json> {
  let buffered = ''
  for await (const chunk of content) {
    buffered += chunk.toString('utf8')
    if (buffered.length > maxLineLength) throw new Error('Unexpected response from Docker')
    const lines = buffered.split('\n')
    buffered = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Json
  }
  if (buffered.trim() !== '') yield JSON.parse(buffered) as Json
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(0)

export async function fetchImage(
  docker: Docker,
  { image, say, signal, everyMs = 10_000 }: FetchOptions,
): Promise<void> {
  say(`pulling the image ${image}`)
  const path = `/images/create?fromImage=${encodeURIComponent(withTag(image))}`
  const response = await docker.stream(path, { method: 'POST', signal })
  const layers = new Map<string, { current: number; total: number }>()
  let reportedAt = performance.now()
  for await (const line of linesOf(response)) {
    // The status of the answer was sent before anything could fail.
    const error = textOf(line, 'error')
    if (error) throw new Error(error)
    const progress = fieldOf(line, 'progressDetail')
    const total = numberOf(progress, 'total')
    if (textOf(line, 'status') === 'Downloading' && total > 0) {
      layers.set(textOf(line, 'id'), { current: numberOf(progress, 'current'), total })
    }
    if (performance.now() - reportedAt < everyMs) continue
    reportedAt = performance.now()
    const sum = (key: 'current' | 'total') => [...layers.values()].reduce((bytes, layer) => bytes + layer[key], 0)
    say(`pulling the image ${image}: ${megabytes(sum('current'))} of ${megabytes(sum('total'))} MB known so far`)
  }
  if (!(await hasImage(docker, image))) throw new Error('Docker does not have it after the pull')
  say(`the image ${image} is available`)
}
