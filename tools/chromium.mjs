// Prints the path of a Chromium for the browser tests, and downloads one if needed: as root from
// Debian's packages; as another user first Playwright's own download, then Debian's packages
// unpacked into the user's cache folder. Prefers the headless shell; `--full` requests the full
// browser, `--shell` fetches the shell also where only a full browser is installed: the tests take
// a quarter less of the processor in it.
import { existsSync } from 'node:fs'
import { installPackage, unpackPackages, unpackShell, wrapper } from './chromium/debian.mjs'
import { download, downloaded } from './chromium/playwright.mjs'
import { inPath, starts } from './chromium/programs.mjs'

const full = process.argv.includes('--full')

const shells = () => ['/usr/bin/chromium-headless-shell', ...inPath('chromium-headless-shell'), wrapper, downloaded()]
const usable = (path) => path && existsSync(path) && starts(path)

function present() {
  const named = process.env.FLIGHTDECK_CHROMIUM
  if (named) {
    if (starts(named)) return named
    throw new Error(`FLIGHTDECK_CHROMIUM=${named} does not start`)
  }
  const whole = ['/usr/bin/chromium', ...inPath('chromium', 'chromium-browser', 'google-chrome')]
  const places = full ? [...whole, ...shells()] : [...shells(), ...whole]
  return places.find(usable)
}

/** Beside a full browser; without a network the tests use that one. */
function addShell() {
  if (process.env.FLIGHTDECK_CHROMIUM || shells().some(usable)) return undefined
  try {
    const path = unpackShell()
    return starts(path) ? path : undefined
  } catch {
    return undefined
  }
}

async function fetched() {
  if (process.getuid?.() === 0) {
    console.error("Installing Chromium from Debian's packages …")
    return installPackage(full)
  }
  console.error('Fetching a browser for the tests …')
  const path = await download()
  if (path && starts(path)) return path
  console.error(`Playwright's download cannot be used here; unpacking Debian's packages …`)
  return unpackPackages()
}

try {
  const found = present()
  const path = (found && process.argv.includes('--shell') ? addShell() : undefined) ?? found ?? (await fetched())
  if (!starts(path)) throw new Error(`${path} does not start`)
  console.log(path)
} catch (error) {
  console.error(`No Chromium for the browser tests: ${error.message}`)
  console.error('Install Chromium, or set FLIGHTDECK_CHROMIUM to the path of one.')
  process.exit(1)
}
