/** The page's heading, or the page: focused when nothing else has the focus. */
export const focusPage = (): void => {
  const main = document.getElementById('main')
  const target = main?.querySelector<HTMLElement>('h1') ?? main
  if (!target) return
  target.tabIndex = -1
  // Browsers show a focus ring only after keyboard use. The router handles the scroll position.
  target.focus({ preventScroll: true })
}
