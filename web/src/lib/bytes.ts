const units = ['KB', 'MB', 'GB', 'TB'] as const

/** A size as text: `512 bytes`, `1.5 KB`, `183 KB`; 1 KB is 1,000 bytes. One decimal below 10. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  let value = bytes
  let unit: (typeof units)[number] = 'KB'
  for (const next of units) {
    unit = next
    value /= 1_000
    // 999.5 would be rounded to 1,000 of this unit.
    if (value < 999.5) break
  }
  return `${value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value)} ${unit}`
}
