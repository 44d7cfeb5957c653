/** Finds the most likely file among the file locations near a line. */
import { findFileLocations, type FileLocation } from '../engine/file-locations.ts'

/**
 * The number of lines to search after and before it: a failed test prints its reason first, then
 * the location.
 */
export const linesAfter = 15
export const linesBefore = 5

/** The paths of installed dependencies, which are not the user's own code. */
const dependencyPath = /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\.cargo|vendor|gems)[\\/]/

/** The first location on the line, else after it, else before it; files of the repository first. */
export const nearestFileLocation = (lines: readonly string[], at: number): FileLocation | undefined => {
  const order = [...lines.slice(at), ...lines.slice(0, at).toReversed()]
  const locations = order.flatMap(findFileLocations)
  const location = locations.find(({ path }) => !dependencyPath.test(path)) ?? locations[0]
  return location && { path: location.path, line: location.line }
}
