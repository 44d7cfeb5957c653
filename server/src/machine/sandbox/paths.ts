import { relative } from 'node:path'

/** Whether `path` is `folder` or lies below it. Both absolute. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith('../'))
}
