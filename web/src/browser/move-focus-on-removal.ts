/**
 * For `ref`, on an element that is removed when clicked or no longer needed: if it has focus when
 * removed, `take` moves focus elsewhere. Browsers would reset it to the body.
 */
export const moveFocusOnRemoval = (take: () => void) => (element: HTMLElement | null) => {
  if (!element) return undefined
  return () => {
    const hadFocus = element.contains(document.activeElement)
    // Also called on each rerender, when the element stays connected.
    if (hadFocus) queueMicrotask(() => !element.isConnected && take())
  }
}
