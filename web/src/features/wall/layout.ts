/** The number of tiles that fit on a screen. Pure; all sizes in CSS pixels. */
export interface Layout {
  columns: number
  rows: number
  /** The font size of a tile. */
  font: number
}

/** Smaller tiles do not have room for their lines. */
const minTile = { width: 210, height: 118 }
/** More tiles on a page could not be read from a distance. */
const maxTiles = 24
const gap = 12
/** At these sizes the font is 16 px. */
const usualTile = { width: 270, height: 150 }
const fonts = { min: 13, max: 40 }

const between = (min: number, value: number, max: number): number => Math.min(max, Math.max(min, value))

/** The maximum number of tiles per page. */
export const capacityOf = (width: number, height: number): number => {
  const columns = Math.max(1, Math.floor((width + gap) / (minTile.width + gap)))
  const rows = Math.max(1, Math.floor((height + gap) / (minTile.height + gap)))
  return Math.min(maxTiles, columns * rows)
}

/** The columns and rows with the largest text for `count` tiles, at most the capacity. */
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
