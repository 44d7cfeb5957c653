import { statfs } from 'node:fs/promises'

/**
 * Those of this machine alone, by the numbers of statfs(2): ext, xfs, btrfs, tmpfs, ramfs, overlay, zfs, f2fs, bcachefs, nilfs. On all
 * others somebody elsewhere may change something without a notice here.
 */
const local = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x3434,
])

/** Whether every change of this folder is told here. */
export const isLocal = (folder: string): Promise<boolean> =>
  statfs(folder).then(
    ({ type }) => local.has(type),
    () => false,
  )
