/** Which of the files that are named around a line is most likely the one that is meant. */
import { findFileLocations, type FileLocation } from '../engine/file-locations.ts'

/** Lines behind and before it: a failed test says its reason first, and then where. */
export const linesAfter = 15
export const linesBefore = 5

/** Of others: where what is not the reader's own code was installed. */
const dependencyPath = /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\.cargo|vendor|gems)[\\/]/

/** The first that is named at the line, else behind it, else before it; the reader's own files first. */
export const nearestFileLocation = (lines: readonly string[], at: number): FileLocation | undefined => {
  const order = [...lines.slice(at), ...lines.slice(0, at).toReversed()]
  const locations = order.flatMap(findFileLocations)
  const location = locations.find(({ path }) => !dependencyPath.test(path)) ?? locations[0]
  return location && { path: location.path, line: location.line }
}
