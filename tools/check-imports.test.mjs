import { describe, expect, test } from 'vitest'
import { faultsOf } from './check-imports.mjs'

const allowed = [
  ['web/src/app/guards.tsx', `import { live } from './live/index.ts'`],
  ['web/src/features/build/page.tsx', `import { NotFound } from '../not-found/not-found.tsx'`],
  ['web/src/features/log/window/console.tsx', `import { useSearch } from '../search/use-search.ts'`],
  ['web/src/features/log/search/results.tsx', `import { printAnchor } from '../anchor.ts'`],
  ['web/src/features/log/engine/worker.ts', `// not the window's\nself.postMessage('document')`],
  ['web/src/features/log/engine/host.test.ts', `import { useState } from 'react'\nwindow.close()`],
  ['web/src/features/graph/layout/layout.ts', `import dagre from '@dagrejs/dagre'\nself.window`],
  ['web/src/ui/toast.tsx', `import { createStore } from '../browser/store.ts'`],
  ['web/src/features/build/page.tsx', `import { Button } from '../../ui/button.tsx'`],
  ['web/src/features/build/page.tsx', `import { Graph } from '../graph/index.ts'`],
  ['web/src/features/build/parts/row.tsx', `import { x } from '../page.tsx'`],
  ['web/src/app/routes.tsx', `const page = () => import('../features/build/page.tsx')`],
  ['web/src/ui/icon.tsx', `import { iconGroup } from '@flightdeck/api'`],
  ['server/src/pipeline/graph.ts', `import { parse } from 'yaml'`],
  ['server/src/pipeline/graph.test.ts', `import { readFileSync } from 'node:fs'`],
  ['server/src/http/builds.ts', `import type { Manager } from '../ci/manager.ts'`],
  ['server/src/main.ts', `import { createApp } from './app.ts'\nconsole.log(process.argv)`],
  ['server/src/ci/run.ts', `// process.env is not read here`],
  ['server/src/ci/git/run.ts', `const env = { PATH: process.env['PATH'] }`],
]
const refused = [
  ['web/src/app/guards.tsx', `import { merges } from './live/merge.ts'`],
  ['web/src/features/log/engine/host.ts', `import { LogStore } from '../source/log-store.ts'`],
  ['web/src/features/log/source/log-store.ts', `import { BuildSearch } from '../search/build-search.ts'`],
  ['web/src/features/log/search/results.tsx', `import { LogRow } from '../window/log-row.tsx'`],
  ['web/src/features/log/engine/host.ts', `import { client } from '../../../api/client.ts'`],
  ['web/src/features/log/engine/host.ts', `import { useState } from 'react'`],
  ['web/src/features/graph/layout/layout.ts', `import { flushSync } from 'react-dom/client'`],
  ['web/src/features/graph/layout/layout.ts', `import { GraphNode } from '../graph-node.tsx'`],
  ['web/src/features/graph/layout/layout.ts', `import { useLayout } from '../use-layout.ts'`],
  ['web/src/lib/time.ts', `export const width = () => document.body.clientWidth`],
  ['web/src/lib/time.ts', `export const kept = () => [localStorage]`],
  ['web/src/lib/time.ts', `export const ask = () => fetch('/api/user')`],
  ['web/src/lib/time.ts', `const f = (element: HTMLDivElement) => element.id`],
  ['web/src/lib/time.ts', `import { useNow } from '../browser/clock.ts'`],
  ['web/src/browser/clock.ts', `import { Button } from '../ui/button.tsx'`],
  ['web/src/features/build/page.tsx', `import { password } from '../new-password/password.ts'`],
  ['api/src/types.ts', `import { x } from '../../server/src/app.ts'`],
  ['web/src/ui/button.tsx', `import { Graph } from '../features/graph/index.ts'`],
  ['web/src/lib/ansi.ts', `import { Button } from '../ui/button.tsx'`],
  ['web/src/features/build/page.tsx', `import { Node } from '../graph/node.tsx'`],
  ['web/src/features/build/page.tsx', `import { router } from '../../app/router.tsx'`],
  ['server/src/pipeline/graph.ts', `import { readFile } from 'node:fs/promises'`],
  ['server/src/pipeline/graph.ts', `import { open } from '../store/open.ts'`],
  ['server/src/store/open.ts', `import { manager } from '../ci/manager.ts'`],
  ['server/src/ci/manager.ts', `import { proxy } from '../gateway/proxy.ts'`],
  ['server/src/gateway/proxy.ts', `export { x } from '../ci/manager.ts'`],
  ['server/src/http/builds.ts', `import {\n  createManager,\n} from '../ci/manager.ts'`],
  ['server/src/ci/run.ts', `spawn(x, { env: process.env })`],
  ['server/src/ci/git/run.ts', `if (process.env.FLIGHTDECK_PORT) listen()`],
]

describe('who may import whom', () => {
  test.each(allowed)('%s may: %s', (file, text) => expect(faultsOf(file, text)).toEqual([]))
  test.each(refused)('%s may not: %s', (file, text) => expect(faultsOf(file, text)).toHaveLength(1))
})
