/** The usual time limit for the second click of a double click. */
const doubleMs = 500

const isOn = (element: Element, { clientX, clientY }: MouseEvent): boolean => {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
}

/**
 * Call it for each `pointerdown` and `click`, with whether the event is outside an open popup; it
 * returns whether that closes the popup. A click outside closes it if it also started outside
 * (dragging a text selection out of an input doesn't count), and if it isn't the second click of a
 * double click on `opener`.
 */
export const detectOutsidePress = (opener: Element | null) => {
  const opened = performance.now()
  let startedOutside = false
  return (event: MouseEvent, isOutside: boolean): boolean => {
    if (event.type !== 'click') startedOutside = isOutside
    else if (isOutside && startedOutside && event.detail < 2)
      return !opener || performance.now() - opened > doubleMs || !isOn(opener, event)
    return false
  }
}
