import { relative } from 'node:path'

/** Whether `path` is `folder` or lies below it. Both absolute. */
export function isWithin(path: string, folder: string): boolean {
  const relativePath = relative(folder, path)
  return relativePath === '' || (relativePath !== '..' && !relativePath.startsWith('../'))
}
