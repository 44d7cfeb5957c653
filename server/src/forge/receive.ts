/** `POST /hook`: verified immediately, built later, one event of a repository at a time. */
import type { HookAnswer } from '../interfaces/forge.ts'
import { createBulkQueue, runYielding } from '../lib/event-loop.ts'
import { findForgeRepo, findForgeRepoState, setForgeRepoState } from '../store/forge-repos.ts'
import { findRepo } from '../store/repos.ts'
import { buildEvent } from './builds.ts'
import type { ForgeContext } from './context.ts'
import type { HookHeaders } from './driver.ts'
import type { ForgeEvent } from './events.ts'
import { readPayload } from './hooks/payload.ts'

/** Queued events per repository; the next check of the mirror finds what exceeds it. */
const maxWaiting = 200

export interface Receiver {
  receive(header: HookHeaders, body: Uint8Array): Promise<HookAnswer>
  /** Handles an event like that of a verified hook. */
  add(repoId: number, event: ForgeEvent): void
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>
}

/**
 * `refresh`: ask the forge about the repository itself, since its own hooks may be old.
 * `checkSoon`: fetch the mirror and build what no hook reports.
 */
export function createReceiver(
  forge: ForgeContext,
  refresh: (repoId: number) => Promise<void>,
  checkSoon: (repoId: number) => void = () => undefined,
): Receiver {
  const { db, driver, box, now, stopped } = forge
  const lines = new Map<number, { count: number; last: Promise<void>; newest: string }>()

  function add(repoId: number, event: ForgeEvent): void {
    const line = lines.get(repoId) ?? { count: 0, last: Promise.resolve(), newest: '' }
    const key = JSON.stringify(event)
    // Deliveries of one event, with nothing between them, are handled once while they wait.
    if (line.count >= maxWaiting || line.newest === key || stopped.aborted) return
    line.count += 1
    line.newest = key
    line.last = line.last
      .then(async () => {
        if (line.newest === key) line.newest = ''
        await followName(repoId, event)
        await buildEvent(forge, repoId, event)
      })
      .catch((error: unknown) => {
        if (!stopped.aborted) forge.log(`a webhook (${event.kind}) could not be processed`, error)
      })
      .finally(() => {
        line.count -= 1
        if (line.count === 0) lines.delete(repoId)
      })
    lines.set(repoId, line)
  }

  /**
   * Hooks can be late or repeated, so a hook's repository facts only trigger a request for the
   * current ones.
   */
  async function followName(repoId: number, event: ForgeEvent): Promise<void> {
    const repo = await findRepo(db, repoId)
    const named = 'repository' in event ? event.repository : undefined
    if (!repo || !named) return
    const isOld = `${named.namespace}/${named.name}` !== repo.slug || named.private !== repo.private
    if (event.kind === 'repository' || isOld) await refresh(repoId)
  }

  /** One at a time: many large bodies can end in one turn of the event loop. */
  const parsing = createBulkQueue(1)

  return {
    add,
    async receive(header, body) {
      const { payload, event, name } = await parsing.run(body.length, async () => {
        const json = await readPayload(header('content-type'), body)
        return { payload: json, ...(await runYielding(() => driver.parseHook(header, json))) }
      })
      if (event.kind === 'invalid') return { status: 400, message: event.reason }
      const id = event.repository?.id ?? ''
      const repo = id === '' ? null : await findForgeRepo(db, id)
      if (!repo) return { status: 400, message: 'Cannot find repository' }
      const state = await findForgeRepoState(db, repo.id)
      const secret = state?.hookSecret ? box.decrypt(state.hookSecret) : ''
      if (!(await runYielding(() => driver.verifyHook(header, { body, payload }, secret))))
        return { status: 400, message: 'Invalid webhook signature' }
      await setForgeRepoState(db, repo.id, { hookSeen: now() })
      if (event.kind === 'ignored') return { status: 200, message: event.reason }
      if (event.kind === 'ping') return { status: 200, message: 'The webhook works' }
      if (!repo.active) return { status: 200, message: 'The repository is not active' }
      if (event.kind === 'branch-created') checkSoon(repo.id)
      add(repo.id, event)
      return { status: 200, message: `Received ${name || event.kind}` }
    },
    async idle() {
      while (lines.size > 0) await Promise.all([...lines.values()].map(({ last }) => last))
    },
  }
}
