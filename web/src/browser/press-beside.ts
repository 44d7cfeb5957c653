/** As long as systems wait for the second press of a double-click. */
const doubleMs = 500

const isOn = (element: Element, { clientX, clientY }: MouseEvent): boolean => {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
}

/**
 * Told of each `pointerdown` and each `click`, and whether it is beside an open part; answers whether that closes the part. It does
 * when it began beside it, too – a selection that is dragged out of a field did not – and when it is no second press on `opener`,
 * which is what lies under the pointer of whoever pressed that twice.
 */
export const pressesBeside = (opener: Element | null) => {
  const opened = performance.now()
  let began = false
  return (event: MouseEvent, beside: boolean): boolean => {
    if (event.type !== 'click') began = beside
    else if (beside && began && event.detail < 2)
      return !opener || performance.now() - opened > doubleMs || !isOn(opener, event)
    return false
  }
}
