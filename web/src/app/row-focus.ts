/** Rows are marked with `data-row`, so that `j` and `k` move through them on every page. */
const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main [data-row]')]

const isBelowTop = (row: HTMLElement): boolean => row.getBoundingClientRect().top >= 0

/**
 * Moves focus to the next (1) or previous (-1) row; without a focused row, to the first visible
 * one.
 */
export const focusRow = (way: 1 | -1): void => {
  const all = rows()
  const at = all.findIndex((row) => row === document.activeElement)
  const row = at < 0 ? (all.find(isBelowTop) ?? all[0]) : all[at + way]
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}
