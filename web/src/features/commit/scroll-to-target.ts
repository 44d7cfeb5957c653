/** Below the header of the repository, which stays while the page scrolls. */
const headerPx = 120

const isInView = (element: HTMLElement): boolean => {
  const { top, height } = element.getBoundingClientRect()
  return top >= headerPx && top + Math.min(height, 40) <= innerHeight
}

/** The `ref` of what the address names: seen as soon as it is there. After the page has come to its own place (app/scroll.ts). */
export const scrollToTarget = (element: HTMLElement | null): void => {
  if (!element) return
  requestAnimationFrame(() => {
    if (!isInView(element)) element.scrollIntoView({ block: element.matches('tr') ? 'center' : 'start' })
  })
}
