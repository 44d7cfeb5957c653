import { writeStored, readStored } from './storage.ts'

const key = 'reloaded'

/** A piece of this page could not be had: a part's code, a worker's file. */
export class PieceError extends Error {
  /** The server probably has a newer version of the page: a retry doesn't help, a reload does. */
  readonly gone: boolean
  constructor(gone: boolean) {
    super(
      gone
        ? 'Flightdeck has probably been updated. Reload the page to continue.'
        : 'This page could not be loaded. Check your connection and try again.',
    )
    this.gone = gone
  }
}

const serverAnswers = async (): Promise<boolean> => {
  try {
    return (await fetch(location.href, { headers: { Accept: 'text/html' } })).ok
  } catch {
    return false
  }
}

/** What has become of a piece that did not come. */
export const pieceError = async (): Promise<PieceError> => new PieceError(await serverAnswers())

/**
 * A piece of this build that is gone means that a newer build was put in its place: the page is loaded again, once.
 * Not while the server is away, for then nothing would come, nor where nothing can be remembered, for it might not end.
 */
export const reloadOnce = async (): Promise<never> => {
  const thisBuild = import.meta.url
  const error = await pieceError()
  if (!error.gone) throw error
  // It has been tried, and did not help.
  if (readStored('session', key) === thisBuild) throw new PieceError(false)
  if (!writeStored('session', key, thisBuild)) throw error
  location.reload()
  // Nothing more happens here until the page is gone.
  return new Promise<never>(() => undefined)
}
