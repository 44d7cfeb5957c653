import { writeStored, readStored } from './storage.ts'

const key = 'reloaded'

/** A chunk of this page failed to load: a part's code or a worker's file. */
export class PieceError extends Error {
  /** The server probably has a newer version of the page: a retry doesn't help, a reload does. */
  readonly isRemoved: boolean
  constructor(isRemoved: boolean) {
    super(
      isRemoved
        ? 'Flightdeck has probably been updated. Reload the page to continue.'
        : 'This page could not be loaded. Check your connection and try again.',
    )
    this.isRemoved = isRemoved
  }
}

const serverAnswers = async (): Promise<boolean> => {
  try {
    return (await fetch(location.href, { headers: { Accept: 'text/html' } })).ok
  } catch {
    return false
  }
}

/** The error for a chunk that did not load. */
export const pieceError = async (): Promise<PieceError> => new PieceError(await serverAnswers())

/**
 * If a chunk of this build is missing, a newer build has replaced it: reloads the page, once. Does
 * nothing while the server is unavailable, because a reload would show nothing, or without storage,
 * because it could reload forever.
 */
export const reloadOnce = async (): Promise<never> => {
  const thisBuild = import.meta.url
  const error = await pieceError()
  if (!error.isRemoved) throw error
  // A reload has been tried, and did not help.
  if (readStored('session', key) === thisBuild) throw new PieceError(false)
  if (!writeStored('session', key, thisBuild)) throw error
  location.reload()
  // Nothing else should happen until the page reloads.
  return new Promise<never>(() => undefined)
}
