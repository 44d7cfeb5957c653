/** How many tiles a screen holds. Pure; all sizes in CSS pixels. */
export interface Layout {
  columns: number
  rows: number
  /** Font size of a tile. */
  font: number
}

/** Below it a tile does not show its lines. */
const minTile = { width: 210, height: 118 }
/** More on one page cannot be read across a room. */
const maxTiles = 24
const gap = 12
/** At these sizes the font is 16 px. */
const usualTile = { width: 270, height: 150 }
const fonts = { min: 13, max: 40 }

const between = (min: number, value: number, max: number): number => Math.min(max, Math.max(min, value))

/** Tiles that one page has at most. */
export const capacityOf = (width: number, height: number): number => {
  const columns = Math.max(1, Math.floor((width + gap) / (minTile.width + gap)))
  const rows = Math.max(1, Math.floor((height + gap) / (minTile.height + gap)))
  return Math.min(maxTiles, columns * rows)
}

/** The columns and rows in which `count` tiles, at most the capacity, have the largest text. */
export const layoutOf = (count: number, width: number, height: number): Layout => {
  let best: Layout = { columns: 1, rows: Math.max(1, count), font: 0 }
  for (let columns = 1; columns <= Math.max(1, count); columns += 1) {
    const rows = Math.max(1, Math.ceil(count / columns))
    const tile = { width: (width + gap) / columns - gap, height: (height + gap) / rows - gap }
    const font = 16 * Math.min(tile.width / usualTile.width, tile.height / usualTile.height)
    if (font > best.font) best = { columns, rows, font }
  }
  return { ...best, font: between(fonts.min, best.font, fonts.max) }
}
