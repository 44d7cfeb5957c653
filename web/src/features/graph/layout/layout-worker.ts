/** Lays out a large graph outside the main thread. */
import { layoutGraph, type LayoutInput } from './layout.ts'

self.addEventListener('message', (event: MessageEvent<LayoutInput>) => self.postMessage(layoutGraph(event.data)))
