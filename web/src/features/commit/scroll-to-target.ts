/** The height of the repository's header, which stays visible while the page scrolls. */
const headerPx = 120

const isInView = (element: HTMLElement): boolean => {
  const { top, height } = element.getBoundingClientRect()
  return top >= headerPx && top + Math.min(height, 40) <= innerHeight
}

/**
 * The `ref` of the element that the URL names: scrolled into view as soon as it exists, after the
 * page has restored its scroll position (app/scroll.ts).
 */
export const scrollToTarget = (element: HTMLElement | null): void => {
  if (!element) return
  requestAnimationFrame(() => {
    if (!isInView(element)) element.scrollIntoView({ block: element.matches('tr') ? 'center' : 'start' })
  })
}
