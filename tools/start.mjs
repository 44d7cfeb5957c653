// `npm start`: installs what is missing, builds what is stale, and becomes the server. Options
// after `--` are the server's.
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { build } from './lib/parts.mjs'
import { checkNode, install, root } from './lib/project.mjs'

// Settings can contain a password, so the programs that install and build do not get them.
const settings = Object.entries(process.env).filter(
  ([name]) => name.startsWith('FLIGHTDECK_') && name !== 'FLIGHTDECK_MARK',
)
for (const [name] of settings) delete process.env[name]
checkNode()
install()
if (build().length > 0) process.exit(1)
Object.assign(process.env, Object.fromEntries(settings))

// In the same process, so that signals and the exit status are the server's.
await import(pathToFileURL(join(root, 'server/dist/main.js')).href)
