// Takes screenshots of the running product into test-results/pictures: each screen, light and dark,
// at 1440, 768 and 390 px. Updates the committed ones in docs/pictures. `ONLY=times` takes a single
// screen.
import { join } from 'node:path'
import { build } from './lib/parts.mjs'
import { checkNode, install, program, root, run } from './lib/project.mjs'

checkNode()
install()
if (build().length > 0) process.exit(1)
const chromium = await run(process.execPath, [join(root, 'tools/chromium.mjs'), '--full'], { quiet: true })
if (chromium.status !== 0) {
  console.error(chromium.stderr)
  process.exit(1)
}
const env = { FLIGHTDECK_CHROMIUM: chromium.stdout.trim() }
const { status } = await run(program('playwright'), ['test', '--config', 'e2e/pictures.config.ts'], { env })
process.exitCode = status
