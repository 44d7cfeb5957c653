/* Runs in the page: scrolls through everything within `ms` milliseconds, frame by frame. */
export const sweepLog = async (ms) => {
  const scroller = [...document.querySelectorAll('[role=log] *')].find(
    (element) =>
      element.scrollHeight > element.clientHeight + 1000 && getComputedStyle(element).overflowY !== 'visible',
  )
  scroller.scrollTop = 0
  await new Promise((resolve) => setTimeout(resolve, 500))
  const range = scroller.scrollHeight - scroller.clientHeight
  let began
  const stop = window.bench.frames((time) => {
    began ??= time
    scroller.scrollTop = (Math.min(ms, time - began) / ms) * range
  })
  await new Promise((resolve) => setTimeout(resolve, ms))
  const gaps = stop()
  return { frames: gaps.length, longest: Math.max(...gaps), height: scroller.scrollHeight }
}

export const sweepBlank = async ({ height, ms }) => {
  const scroller = document.createElement('div')
  scroller.style.cssText = 'position:fixed;inset:0;overflow:auto'
  const inner = document.createElement('div')
  inner.style.height = `${height}px`
  scroller.append(inner)
  document.body.append(scroller)
  await new Promise((resolve) => setTimeout(resolve, 500))
  const range = scroller.scrollHeight - scroller.clientHeight
  let began
  const stop = window.bench.frames((time) => {
    began ??= time
    scroller.scrollTop = (Math.min(ms, time - began) / ms) * range
  })
  await new Promise((resolve) => setTimeout(resolve, ms))
  const gaps = stop()
  return { frames: gaps.length, longest: Math.max(...gaps) }
}
