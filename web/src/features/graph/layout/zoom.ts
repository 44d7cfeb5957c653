/**
 * Zoom levels in points of 100 (specification §9: "Zoom step 20; reset level 100"; readings: 100,
 * 120, 140).
 */
export const zoomStep = 20
export const zoomReset = 100
const minZoom = 20
const maxZoom = 300

export const within = (level: number): number => Math.min(maxZoom, Math.max(minZoom, Math.round(level)))

export const zoomIn = (level: number): number => within(level + zoomStep)
export const zoomOut = (level: number): number => within(level - zoomStep)

/** The zoom level at which the whole graph is visible, at most its natural size. */
export const zoomToFit = (graph: { width: number; height: number }, room: { width: number; height: number }): number =>
  Math.min(
    zoomReset,
    Math.max(
      1,
      Math.floor(Math.min(room.width / Math.max(1, graph.width), room.height / Math.max(1, graph.height)) * 100),
    ),
  )
