import { createClient } from '@flightdeck/api/client'

/** Build-time settings (specification §6, §7). */
const baseUrl = (import.meta.env.VITE_SERVER_URL ?? '').replace(/\/+$/, '')
const token = import.meta.env.VITE_TOKEN

export const client = createClient({ baseUrl, token })

/** What a person types into a shell to reach this server: the setting, else the page's own origin. */
export const serverOrigin = (): string => baseUrl || location.origin
