/** Which of the files that are named around a line is most likely the one that is meant. */
import { findPlaces, type FilePlace } from '../engine/places.ts'

/** Lines behind and before it: a failed test says its reason first, and then where. */
export const behind = 15
export const before = 5

/** Of others: where what is not the reader's own code was installed. */
const foreign = /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\.cargo|vendor|gems)[\\/]/

/** The first that is named at the line, else behind it, else before it; the reader's own files first. */
export const placeNear = (lines: readonly string[], at: number): FilePlace | undefined => {
  const order = [...lines.slice(at), ...lines.slice(0, at).toReversed()]
  const places = order.flatMap(findPlaces)
  const place = places.find(({ path }) => !foreign.test(path)) ?? places[0]
  return place && { path: place.path, line: place.line }
}
