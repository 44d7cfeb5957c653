import { access, constants, lstat, readlink, realpath, stat } from 'node:fs/promises'
import { basename, delimiter, dirname, isAbsolute, normalize } from 'node:path'
import { homedir } from 'node:os'
import { resolveExposed } from './exposed.ts'
import { isWithin } from './paths.ts'

/**
 * What every account of a machine may read anyway, and programs need. Links among them are made
 * again as links.
 */
export const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix']

export interface Visible {
  links: { path: string; target: string }[]
  folders: string[]
  files: string[]
  /** Named with `--expose`. */
  devices: string[]
  /**
   * Lie in one of the folders, and are covered: a folder by an empty one, a file by `/dev/null`.
   */
  covered: { path: string; isFolder: boolean }[]
}

export interface VisibleOptions {
  /**
   * Never visible, even inside exposed folders: the data folder, the repositories, password files.
   */
  hidden: readonly string[]
  /** The operator's own (`--expose`). */
  exposed: readonly string[]
  /** Of the server: its tools are the steps', too. */
  environment: NodeJS.ProcessEnv
}

/**
 * The part of the file system that steps see, read-only; everything else is not there at all. Paths
 * are shown where they really are, and links to them are made again. Throws `UnusableExposure` for
 * a path of `exposed` that steps could not see.
 */
export async function findVisible({ hidden, exposed, environment }: VisibleOptions): Promise<Visible> {
  const secrets = [...new Set([...hidden, ...(await Promise.all(hidden.map(realOrSame)))])]
  const visible: Visible = { links: [], folders: [], files: [], devices: [], covered: [] }
  const isShown = (path: string) =>
    [...visible.folders, ...visible.links.map((link) => link.path)].some((folder) => isWithin(path, folder))
  async function show(path: string): Promise<void> {
    const { real, kind } = await resolveExposed(path, secrets)
    if (kind === 'device') {
      if (!visible.devices.includes(real)) visible.devices.push(real)
    } else if (!isShown(real)) {
      if (kind === 'folder') visible.folders.push(real)
      else if (!visible.files.includes(real)) visible.files.push(real)
    }
    // The folder of a link can be a link itself: the system's, or the one to `/run`.
    if (path !== real && !isShown(path) && !isWithin(path, '/var/run')) visible.links.push({ path, target: real })
  }
  /** What would be convenient; left out where it cannot be shown. */
  const offer = (path: string) => show(normalize(path)).catch(() => {})
  for (const path of systemFolders) {
    const found = await lstat(path).catch(() => null)
    if (found?.isSymbolicLink()) visible.links.push({ path, target: await readlink(path) })
    else if (found?.isDirectory()) visible.folders.push(path)
  }
  for (const path of exposed) await show(normalize(path))
  await offer(nodeFolder(process.execPath))
  for (const path of (environment['PATH'] ?? '').split(delimiter)) if (await isToolFolder(path)) await offer(path)
  for (const name of ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS']) {
    const path = environment[name]
    if (path && isAbsolute(path)) await offer(path)
  }
  // Some systems keep the addresses of their name servers in `/run`.
  await offer('/etc/resolv.conf')
  for (const path of secrets) {
    const found = await stat(path).catch(() => null)
    if (found && isShown(path)) visible.covered.push({ path, isFolder: found.isDirectory() })
  }
  return visible
}

const realOrSame = (path: string): Promise<string> => realpath(path).catch(() => path)

/**
 * `PREFIX/bin/node` needs `PREFIX/lib` for npm; a `bin` folder in a home does not justify exposing
 * the home.
 */
function nodeFolder(program: string): string {
  const folder = dirname(program)
  const prefix = dirname(folder)
  return basename(folder) === 'bin' && !isWithin(homedir(), prefix) ? prefix : folder
}

/**
 * A program folder that everyone can read (or this user, if steps run as it), even inside a private
 * home.
 */
async function isToolFolder(path: string): Promise<boolean> {
  if (!isAbsolute(path) || isWithin(homedir(), path)) return false
  // Shims of version managers need the manager's other files, and would precede the system's
  // programs. `--expose` can expose both.
  if (basename(path) === 'shims') return false
  const found = await stat(path).catch(() => null)
  if (!found?.isDirectory()) return false
  if (process.geteuid?.() === 0) return (found.mode & 0o005) === 0o005
  return access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
}
