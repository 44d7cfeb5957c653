/** The page's heading, or the page: where reading begins when nothing else has the focus. */
export const focusPage = (): void => {
  const main = document.getElementById('main')
  const target = main?.querySelector<HTMLElement>('h1') ?? main
  if (!target) return
  target.tabIndex = -1
  // A browser shows the focus only to whoever last used the keyboard. Where the page is scrolled to is the router's affair.
  target.focus({ preventScroll: true })
}
