/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The API's base URL; empty for the page's own origin. */
  readonly VITE_SERVER_URL?: string
  /** A bearer token for the API and the event streams. */
  readonly VITE_TOKEN?: string
}

interface Window {
  /** Set by the server that serves the page (readings, "Licence flags"). */
  LICENSE_EXPIRED?: boolean
  LICENSE_LIMIT_EXCEEDED?: boolean
  /** Flightdeck shows the pages of public repositories to guests (`--public-pages`). */
  flightdeckPublicPages?: boolean
  /** The time zone of Flightdeck's cron jobs, if it is not UTC. */
  flightdeckTimeZone?: string
  /** The forge to which Flightdeck is connected. */
  flightdeckForge?: { title: string; url: string; sign_in: 'oauth' | 'password' }
  /** Responses that index.html requested before the application started, by URL. */
  flightdeckEarly?: Record<string, Promise<Response>>
}
