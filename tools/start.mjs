// `npm start`: installs what is missing, builds what is stale, and becomes the server. Options after `--` are the server's.
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { build } from './lib/parts.mjs'
import { checkNode, install, root } from './lib/project.mjs'

checkNode()
install()
if (build().length > 0) process.exit(1)

// In this same process, so that signals and the exit status are the server's own.
await import(pathToFileURL(join(root, 'server/dist/main.js')).href)
