import { realpath, stat } from 'node:fs/promises'
import { isWithin } from './paths.ts'

/** An unusable path of `--expose`. The message is one sentence for the operator. */
export class UnusableExposure extends Error {
  override readonly name = 'UnusableExposure'
}

export interface ExposedPath {
  /** As configured. */
  path: string
  /** The same without symbolic links. */
  real: string
  kind: 'folder' | 'file' | 'device'
}

/** Folders that each step has its own of; their mounts hide exposed paths inside. */
const ownFolders = ['/tmp', '/var/tmp', '/proc', '/drone']

/**
 * Resolves a path of `--expose`. Throws `UnusableExposure` where a step would not see it, so that
 * no path is ignored in silence.
 */
export async function resolveExposed(path: string, hidden: readonly string[]): Promise<ExposedPath> {
  const refuse = (reason: string) => new UnusableExposure(`--expose ${path}: ${reason}`)
  let real: string
  let found: Awaited<ReturnType<typeof stat>>
  try {
    real = await realpath(path)
    found = await stat(real)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') throw refuse('there is no such file or folder')
    if (code === 'ELOOP') throw refuse('its symbolic links form a loop')
    throw refuse('the server cannot read this path')
  }
  const isDevice = found.isCharacterDevice() || found.isBlockDevice()
  for (const name of new Set([path, real])) {
    if (name === '/') throw refuse('this would expose the whole machine; list only the folders that steps need')
    const stepFolder = ownFolders.find((folder) => isWithin(name, folder))
    if (stepFolder) throw refuse(`each step has its own ${stepFolder}, which hides this path; use another folder`)
    if (isWithin(name, '/dev') && !isDevice)
      throw refuse('each step has its own /dev, which hides this path; name single devices or use another folder')
    if (hidden.some((secret) => isWithin(name, secret)))
      throw refuse('the path is in a folder that the server never shows to steps')
  }
  return { path, real, kind: isDevice ? 'device' : found.isDirectory() ? 'folder' : 'file' }
}
