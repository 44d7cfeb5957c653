import { statfs } from 'node:fs/promises'

/**
 * File systems that only this machine can write, by their numbers in statfs(2): ext, xfs, btrfs,
 * tmpfs, ramfs, overlay, zfs, f2fs, bcachefs, nilfs. On network file systems, changes by other
 * machines cause no event here.
 */
const local = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x3434,
])

/** Whether each change of this folder causes a file system event on this machine. */
export const isLocal = (folder: string): Promise<boolean> =>
  statfs(folder).then(
    ({ type }) => local.has(type),
    () => false,
  )
