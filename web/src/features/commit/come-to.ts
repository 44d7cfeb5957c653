/** Below the header of the repository, which stays while the page scrolls. */
const header = 120

const isInSight = (element: HTMLElement): boolean => {
  const { top, height } = element.getBoundingClientRect()
  return top >= header && top + Math.min(height, 40) <= innerHeight
}

/** The `ref` of what the address names: seen as soon as it is there. After the page has come to its own place (app/scroll.ts). */
export const comeTo = (element: HTMLElement | null): void => {
  if (!element) return
  requestAnimationFrame(() => {
    if (!isInSight(element)) element.scrollIntoView({ block: element.matches('tr') ? 'center' : 'start' })
  })
}
