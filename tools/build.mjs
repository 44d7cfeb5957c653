// `npm run build`: rebuilds web/dist (a static folder) and server/dist/main.js.
import { build } from './lib/parts.mjs'
import { checkNode, install } from './lib/project.mjs'

checkNode()
install()
if (build({ force: true }).length > 0) process.exit(1)
