/** Messages for problems with Docker, worded for the operator who has to fix them. */
import { userInfo } from 'node:os'
import { DockerRefusal, NotDocker } from './api.ts'
import { errorMessage } from '../lib/error-message.ts'

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

/** Why Docker could not be spoken to. */
export function explainSocket(error: unknown, socket: string): string {
  const other = 'or choose a different socket with --docker-socket'
  switch (codeOf(error)) {
    case 'ENOENT':
      return `Docker not found: ${socket} does not exist. Install and start Docker, ${other}`
    case 'EACCES':
    case 'EPERM':
      return `${userInfo().username} can’t use Docker's socket ${socket}. Add this account to the group of that file (access to Docker is equivalent to root), ${other}`
    case 'ECONNREFUSED':
    case 'ENOTSOCK':
      return `Nothing listens on ${socket}: Docker is not running. Start it, ${other}`
    case 'ECONNRESET':
    case 'EPIPE':
      return `Docker closed the connection mid-response (${socket})`
  }
  if (error instanceof Error && [error, error.cause].some(isTimeout)) return `Docker does not respond (${socket})`
  if (error instanceof NotDocker || codeOf(error).startsWith('HPE_')) {
    return `${socket} is not Docker's socket; set the right one with --docker-socket`
  }
  if (error instanceof DockerRefusal) return `Docker reported: ${error.message}`
  return errorMessage(error)
}

/** Docker is not available, in contrast to a refusal by Docker. */
export const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTSOCK'].includes(codeOf(error))

export const explainImage = (error: unknown, image: string): string =>
  `The image ${image} could not be pulled: ${errorMessage(error)}. Pull it manually (docker pull ${image}), or choose a different one with --docker-image`
