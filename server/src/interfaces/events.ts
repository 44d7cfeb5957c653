/** How changes of builds are published. */
import type { Repo, RepoWithBuild } from '@flightdeck/api'

/** Build events, encoded once; every subscriber gets the same text (architecture.md "events"). */
export interface BuildEventMessage {
  repoId: number
  buildId: number
  slug: string
  /**
   * The most restrictive visibility since the change: an event from a private time stays private
   * when the repository becomes public again.
   */
  visibility: Repo['visibility']
  /** One-line JSON of `RepoWithBuild`, stages and steps included (docs/api §1.16). */
  json: string
}
export interface EventBus {
  /**
   * The build has changed. It is sent now, as `read` returns it, or in a moment, as `later` returns
   * it then; read only if there are listeners. Resolves when nothing more is to be done now, fails
   * as `read` does. `visibility`: the repository's when the build changed; without it, when it is
   * read.
   */
  publish(
    buildId: number,
    read: () => Promise<RepoWithBuild>,
    later?: () => Promise<RepoWithBuild>,
    visibility?: Repo['visibility'],
  ): Promise<void>
  /**
   * Returns the function that ends the subscription. `readers`: how many the listener passes it on
   * to; default 1.
   */
  subscribe(listener: (message: BuildEventMessage) => void, readers?: () => number): () => void
  /**
   * The builds that were sent in the last five seconds, except those that are about to be sent
   * again.
   */
  recent(): Promise<BuildEventMessage[]>
  /** The number of listeners. */
  subscribers(): number
  /** Once this resolves, nothing more is sent or read. */
  stop(): Promise<void>
}
