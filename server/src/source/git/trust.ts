import { mkdir, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { accountName } from '../../machine/account.ts'

/**
 * git refuses to read a repository of another user ("dubious ownership"), because its configuration
 * could run programs with the server's rights. Flightdeck follows this, except for repositories
 * that it created itself, and those that the operator has allowed in the global git configuration.
 */
export async function writeTrust(configFile: string, paths: readonly string[]): Promise<Set<string>> {
  const trusted = new Set(await operatorsChoice())
  for (const path of paths) {
    const real = await realpath(path).catch(() => path)
    // Depending on the version and the command, git checks the work tree or the git directory.
    for (const folder of [path, real]) trusted.add(folder).add(join(folder, '.git'))
  }
  const lines = [...trusted].map((folder) => `\tdirectory = "${folder.replace(/["\\]/g, '\\$&')}"\n`)
  await mkdir(dirname(configFile), { recursive: true })
  // A build can need a commit that no ref points to any more; git's older protocol must be
  // configured to allow it.
  const text = `[safe]\n${lines.join('')}[uploadpack]\n\tallowAnySHA1InWant = true\n`
  await writeFile(`${configFile}.tmp`, text, { mode: 0o644 })
  await rename(`${configFile}.tmp`, configFile)
  return trusted
}

async function operatorsChoice(): Promise<string[]> {
  try {
    const { stdout } = await promisify(execFile)('git', ['config', '--get-all', '--null', 'safe.directory'], {
      cwd: '/',
    })
    const values = stdout.split('\0').filter((value) => value !== '' && value !== '*')
    // A later `*` allows everything. An empty entry resets the entries before it, which then need
    // not be copied.
    return stdout.split('\0').includes('*') ? ['*', ...values] : values
  } catch {
    return []
  }
}

/** The owner of a folder if git would refuse the folder because of it, else `null`. */
export async function foreignOwner(folders: readonly string[], trusted: ReadonlySet<string>): Promise<number | null> {
  const self = process.geteuid?.()
  if (self === undefined || trusted.has('*')) return null
  if (folders.some((folder) => trusted.has(folder))) return null
  const sudo = self === 0 && process.env['SUDO_UID'] ? Number(process.env['SUDO_UID']) : self
  for (const folder of folders) {
    const { uid } = await stat(folder)
    if (uid !== self && uid !== sudo) return uid
  }
  return null
}

/** The message that names the folder, its owner and the fix. */
export async function dubiousMessage(folder: string, owner: number): Promise<string> {
  const other = await accountName(owner)
  const self = await accountName(process.geteuid?.() ?? 0)
  return (
    `${folder} belongs to ${other}, but Flightdeck runs as ${self}, so git does not read it ("dubious ownership"). ` +
    `Start Flightdeck as ${other}, or give the folder to ${self}, or allow it: ` +
    `git config --global --add safe.directory '${folder}'`
  )
}
