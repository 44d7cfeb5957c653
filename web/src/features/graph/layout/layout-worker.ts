/** Lays a large graph out beside the page's own thread. */
import { layoutGraph, type LayoutInput } from './layout.ts'

self.addEventListener('message', (event: MessageEvent<LayoutInput>) => self.postMessage(layoutGraph(event.data)))
