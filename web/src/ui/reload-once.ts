const key = 'flightdeck.reloaded'

const serverAnswers = async (): Promise<boolean> => {
  try {
    return (await fetch(location.href, { headers: { Accept: 'text/html' } })).ok
  } catch {
    return false
  }
}

/**
 * A piece of this build that is gone means that a newer build was put in its place: the page is loaded again, once.
 * Not while the server is away, for then nothing would come; the error is shown with Retry.
 */
export const reloadOnce = async (error: unknown): Promise<never> => {
  const thisBuild = import.meta.url
  if (sessionStorage.getItem(key) === thisBuild || !(await serverAnswers())) throw error
  sessionStorage.setItem(key, thisBuild)
  location.reload()
  // Nothing more happens here until the page is gone.
  return new Promise<never>(() => undefined)
}
