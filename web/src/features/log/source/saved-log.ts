/** Reads a step's saved log and passes its bytes on as they arrive. */
import { ApiError, texts } from '@flightdeck/api'
import { client } from '../../../api/client.ts'
import type { StepAddress } from '../step/step-address.ts'
import type { LogEnvironment } from './environment.ts'

const escape = (part: string | number): string => encodeURIComponent(String(part))

export const savedLogPath = ({ namespace, name, build, stage, step }: StepAddress): string =>
  `/api/repos/${escape(namespace)}/${escape(name)}/builds/${build}/logs/${stage}/${step}`

export const liveLogPath = ({ namespace, name, build, stage, step }: StepAddress): string =>
  `/api/stream/${escape(namespace)}/${escape(name)}/${build}/${stage}/${step}`

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Specification §8: the body's `message`, else its text, else the text of the status. */
export const messageOf = (status: number, text: string): string => {
  const body = parsed(text)
  if (
    typeof body === 'object' &&
    body !== null &&
    'message' in body &&
    typeof body.message === 'string' &&
    body.message
  )
    return body.message
  return text.trim() || `Request failed with status code ${status}`
}

/** The response started, but the connection was cut. */
export class TruncatedLogError extends ApiError {}

export const savedLogInit = (signal: AbortSignal): RequestInit => {
  const token = import.meta.env.VITE_TOKEN
  const headers: Record<string, string> = { Accept: 'application/json' }
  if (token) headers.Authorization = `Bearer ${token}`
  return { headers, credentials: 'include', signal }
}

/** A response that is read as it arrives. Throws an `ApiError` if there is none. */
export const requestLog = async (
  environment: Pick<LogEnvironment, 'fetch'>,
  path: string,
  signal: AbortSignal,
): Promise<Response> => {
  try {
    return await environment.fetch(client.url(path), savedLogInit(signal))
  } catch (error) {
    throw new ApiError(0, error instanceof Error && error.message ? error.message : 'Network Error')
  }
}

/** Throws an `ApiError` with the server's message, or the reason of the signal. */
export const readSavedLog = async (
  environment: Pick<LogEnvironment, 'fetch'>,
  address: StepAddress,
  signal: AbortSignal,
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => void,
): Promise<void> => {
  const response = await requestLog(environment, savedLogPath(address), signal)
  if (!response.ok) throw new ApiError(response.status, messageOf(response.status, await response.text()))
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) onBytes(part.value)
  } catch (error) {
    throw new TruncatedLogError(0, error instanceof Error ? error.message : 'The log stopped loading')
  }
}

/** The log of a step that has just ended may not be stored yet (docs/api §9.5). */
export const isNotStoredYet = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 404 &&
  (error.message === texts.noRows || error.message === texts.notFound)
