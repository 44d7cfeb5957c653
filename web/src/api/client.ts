import { withoutEnd } from '@flightdeck/api'
import { createClient } from '@flightdeck/api/client'

/** Build-time settings (specification §6, §7). */
const baseUrl = withoutEnd(import.meta.env.VITE_SERVER_URL ?? '', '/')
const token = import.meta.env.VITE_TOKEN

/** What the page has asked for already (index.html) is not asked for again – once: later calls want later answers. */
const takeEarly = (url: string): Promise<Response> | undefined => {
  const early = globalThis.window?.flightdeckEarly
  const answer = early?.[url]
  delete early?.[url]
  return answer
}

export const client = createClient({
  baseUrl,
  token,
  fetch: (input, init) =>
    (typeof input === 'string' && init?.method === 'GET' && takeEarly(input)) || fetch(input, init),
})

/** What a person types into a shell to reach this server: the setting, else the page's own origin. */
export const serverOrigin = (): string => baseUrl || location.origin
