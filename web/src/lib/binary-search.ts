/**
 * Binary search: the first index from 0 for which `holds` is true, or `length` if there is none.
 * From that index on it must hold for all.
 */
export const binarySearch = (length: number, holds: (index: number) => boolean): number => {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
