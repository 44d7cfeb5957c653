/**
 * The worker that searches the logs of a build's steps. It can be terminated without losing the
 * open log.
 */
import { BuildSearchHost, type FromBuildSearch, type ToBuildSearch } from './build-search-host.ts'

const host = new BuildSearchHost((message: FromBuildSearch) => self.postMessage(message))

self.addEventListener('message', (event: MessageEvent<ToBuildSearch>) => host.handle(event.data))
