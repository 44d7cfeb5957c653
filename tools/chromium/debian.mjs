// Chromium from Debian's packages: installed as root, or unpacked into a folder of the user.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cache, must } from './programs.mjs'

/**
 * Package names, which are also the programs' names. The headless shell does not exist in older
 * versions of Debian.
 */
const packages = ['chromium-headless-shell', 'chromium']

/** Calls `use` with the first available package. */
function withFirst(names, use) {
  try {
    return use(names[0])
  } catch (error) {
    if (names.length === 1) throw error
    return withFirst(names.slice(1), use)
  }
}

/** As root: installs Debian's package. `full` is the browser with windows. */
export function installPackage(full) {
  must('apt-get', ['update', '-qq'])
  return withFirst(full ? ['chromium'] : packages, (name) => {
    must('apt-get', ['install', '-qq', '-y', '--no-install-recommends', name])
    return `/usr/bin/${name}`
  })
}

const tree = join(cache, 'tree')
export const wrapper = join(cache, 'chromium')

/**
 * Without changing the installed packages: downloads Chromium and its missing dependencies with
 * apt, using separate lists and a separate cache, unpacks them, and writes a wrapper that sets the
 * paths of the unpacked libraries and fonts.
 */
export function unpackPackages(names = packages, timeout = 8 * 60_000) {
  const work = `${cache}.${process.pid}`
  try {
    for (const folder of ['lists/partial', 'archives/partial']) mkdirSync(join(work, folder), { recursive: true })
    const own = [
      '-qq',
      `-oDir::State::Lists=${join(work, 'lists')}`,
      `-oDir::Cache=${work}`,
      `-oDir::Cache::archives=${join(work, 'archives')}`,
      '-oDebug::NoLocking=true',
    ]
    must('apt-get', [...own, 'update'], { timeout })
    const program = withFirst(names, (name) => {
      must('apt-get', [...own, '-y', '--no-install-recommends', '--download-only', 'install', name], { timeout })
      return name
    })
    const files = readdirSync(join(work, 'archives')).filter((name) => name.endsWith('.deb'))
    for (const name of files) must('dpkg-deb', ['-x', join(work, 'archives', name), join(work, 'tree')])
    for (const folder of ['lists', 'archives']) rmSync(join(work, folder), { recursive: true })
    rmSync(cache, { recursive: true, force: true })
    mkdirSync(dirname(cache), { recursive: true })
    renameSync(work, cache)
    linkInstalled()
    writeWrapper(program)
    return wrapper
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Unpacks the headless shell beside an installed browser. */
export const unpackShell = () => unpackPackages(['chromium-headless-shell'], 60_000)

/** What the packages share is not downloaded again if it is installed. */
function linkInstalled() {
  const installed = '/usr/lib/chromium'
  if (!existsSync(installed)) return
  const program = join(tree, 'usr/lib/chromium')
  for (const name of readdirSync(installed))
    if (!existsSync(join(program, name))) symlinkSync(join(installed, name), join(program, name))
}

/** All unpacked folders with shared libraries. */
function libraryFolders() {
  const files = readdirSync(tree, { recursive: true, withFileTypes: true })
  const folders = files.filter((file) => /\.so(\.|$)/.test(file.name)).map((file) => file.parentPath ?? file.path)
  return [...new Set(folders)]
}

function writeWrapper(name) {
  const fonts = join(cache, 'fonts.conf')
  writeFileSync(
    fonts,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>` +
      `<dir>${join(tree, 'usr/share/fonts')}</dir><dir>/usr/share/fonts</dir>` +
      `<cachedir>${join(cache, 'font-cache')}</cachedir></fontconfig>\n`,
  )
  const program = join(tree, 'usr/lib/chromium', name)
  if (!existsSync(program)) throw new Error(`${program} was not in the packages`)
  writeFileSync(
    wrapper,
    `#!/bin/sh\nexport LD_LIBRARY_PATH='${libraryFolders().join(':')}'\nexport FONTCONFIG_FILE='${fonts}'\nexec '${program}' "$@"\n`,
  )
  chmodSync(wrapper, 0o755)
}
