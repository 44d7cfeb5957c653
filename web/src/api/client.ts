import { trimEndChars } from '@flightdeck/api'
import { createClient } from '@flightdeck/api/client'

import { noteServerTime } from '../lib/time.ts'
import { onlyOwn } from './person.ts'

/** Build-time settings (specification §6, §7). */
const baseUrl = trimEndChars(import.meta.env.VITE_SERVER_URL ?? '', '/')
const token = import.meta.env.VITE_TOKEN

/** Returns an early request of index.html for this URL, once: later calls need fresh responses. */
const takeEarly = (url: string): Promise<Response> | undefined => {
  const early = globalThis.window?.flightdeckEarly
  const answer = early?.[url]
  delete early?.[url]
  return answer
}

/**
 * Discards early responses when the page shows another URL than the one they were requested for.
 */
export const dropEarly = (): void => {
  delete window.flightdeckEarly
}

/**
 * Every response passes through here, so that none for a different person than this page's is used
 * (api/person.ts).
 */
export const send: typeof fetch = async (input, init) => {
  const early = typeof input === 'string' && init?.method === 'GET' ? takeEarly(input) : undefined
  // The early request was sent after the page started loading.
  const sent = Date.now() - (early ? performance.now() : 0)
  const response = await (early ?? fetch(input, init))
  noteServerTime(response.headers.get('date'), sent, Date.now())
  return onlyOwn(response)
}

export const clientOptions = { baseUrl, token, fetch: send }
export const client = createClient(clientOptions)

/** The server's URL for use in a shell: the setting, else the page's own origin. */
export const serverOrigin = (): string => baseUrl || location.origin
