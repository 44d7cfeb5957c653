/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Base of the API; empty = the page's own origin. */
  readonly VITE_SERVER_URL?: string
  /** Bearer token for the API and the event streams. */
  readonly VITE_TOKEN?: string
}

interface Window {
  /** Set by the server that hands out the page (readings, "Licence flags"). */
  LICENSE_EXPIRED?: boolean
  LICENSE_LIMIT_EXCEEDED?: boolean
  /** Our own server shows the pages of public repositories to guests (`--public-pages`). */
  flightdeckPublicPages?: boolean
  /** The time zone of our own server's cron jobs, where it is not UTC. */
  flightdeckTimeZone?: string
  /** The forge that our own server is connected to. */
  flightdeckForge?: { title: string; url: string; sign_in: 'oauth' | 'password' }
  /** Answers that the page asked for before the application was there (index.html), by their address. */
  flightdeckEarly?: Record<string, Promise<Response>>
}
