/**
 * Reloads the page at a quiet moment when the server has a newer version of it
 * (docs/decisions/upgrade.md). It imports nothing from the rest of the page: shared code would add
 * to the first load.
 */
import { buildOf, isQuiet, type Moment } from './new-version.ts'

/** Counted from each page's start, so that not all pages poll together after a restart. */
const askMs = 5 * 60_000
/** How often a page that waits checks for a quiet moment. */
const lookMs = 5_000
const key = 'flightdeck.updated to'

/** The page is revalidated: the response is nearly always an empty 304. */
const servedBuild = async (): Promise<string> => {
  try {
    const answer = await fetch('/', { headers: { Accept: 'text/html' }, cache: 'no-cache' })
    return answer.ok ? buildOf(await answer.text()) : ''
  } catch {
    return ''
  }
}

/**
 * The build of the open page, determined in the same way as the served one: scripts from elsewhere,
 * such as an extension's, are ignored.
 */
const own = buildOf([...document.querySelectorAll('script[src]')].map(({ outerHTML }) => outerHTML).join(''))

let lastInput = Date.now()

const moment = (): Moment => ({
  hidden: document.visibilityState === 'hidden',
  idleMs: Date.now() - lastInput,
  dialog: document.querySelector('dialog[open], [role="dialog"], [role="alertdialog"], [role="menu"]') !== null,
  form: document.querySelector('main form') !== null,
  typing: document.activeElement?.matches('input, textarea, select') ?? false,
  sending: document.querySelector('[aria-busy="true"]') !== null,
})

/** Once per build: a cache in between can still have the old page. */
const reloadTo = (served: string): void => {
  try {
    if (sessionStorage.getItem(key) === served) return
    sessionStorage.setItem(key, served)
  } catch {
    // Without storage the page could reload again and again.
    return
  }
  location.reload()
}

let newer: string | undefined

const reloadIfQuiet = (): void => {
  if (newer !== undefined && isQuiet(moment())) reloadTo(newer)
}

const ask = async (): Promise<void> => {
  const served = await servedBuild()
  newer = served === '' || served === own ? undefined : served
  reloadIfQuiet()
}

// Runs as long as the page is open.
for (const name of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
  addEventListener(name, () => (lastInput = Date.now()), { passive: true, capture: true })
document.addEventListener('visibilitychange', reloadIfQuiet)
setInterval(reloadIfQuiet, lookMs)
setInterval(() => void ask(), askMs)
