/**
 * For `ref`, of what goes when it was pressed or is no longer needed: if it has the focus then, `take` gives that to something else.
 * Browsers give it to nobody.
 */
export const whenGone = (take: () => void) => (element: HTMLElement | null) => {
  if (!element) return undefined
  return () => {
    const hadFocus = element.contains(document.activeElement)
    // Also told each time it is drawn anew, and then it stays.
    if (hadFocus) queueMicrotask(() => !element.isConnected && take())
  }
}
