// Prints the path of a Chromium for the browser tests, fetching one when there is none.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const inPath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
const found = [process.env.FLIGHTDECK_CHROMIUM, '/usr/bin/chromium', ...inPath].find((path) => path && isProgram(path))
if (!found) {
  console.error('No Chromium was found.')
  process.exit(1)
}
console.log(found)
