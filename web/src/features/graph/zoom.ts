/** Percent. Steps are 20 points of 100, not factors (readings "Build page"). */
export const zoomRange = { least: 20, most: 200, step: 20, reset: 100 } as const

export const clampZoom = (zoom: number): number => Math.min(Math.max(Math.round(zoom), zoomRange.least), zoomRange.most)

export const stepZoom = (zoom: number, direction: 1 | -1): number => clampZoom(zoom + direction * zoomRange.step)

/** The greatest zoom, at most 100 %, at which all is in view; may lie below the range of the buttons. */
export const fitZoom = (
  content: { width: number; height: number },
  room: { width: number; height: number },
): number => {
  if (content.width === 0 || content.height === 0) return zoomRange.reset
  const ratio = Math.min(room.width / content.width, room.height / content.height)
  return Math.max(1, Math.min(zoomRange.reset, Math.floor(ratio * 100)))
}
