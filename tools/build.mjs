// `npm run build`: rebuilds web/dist (a static folder) and server/dist/main.js; with `--stale` only
// if older than the sources.
import { build } from './lib/parts.mjs'
import { checkNode, install } from './lib/project.mjs'

checkNode()
install()
if (build({ force: !process.argv.includes('--stale') }).length > 0) process.exit(1)
