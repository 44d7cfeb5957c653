/**
 * When the log of a failed step is complete, finds the line with the cause in the background: one
 * log at a time, only its tail, in the worker thread that parses pipeline files.
 */
import type { FailedLog } from '../pipeline-files/find-cause.ts'
import { deleteCauses, findEndedStep, hasCause, listBuildsOfSteps, saveCause, type EndedStep } from '../store/causes.ts'
import { visibilityOfBuild } from '../store/visibility.ts'
import { inTransaction } from '../store/open.ts'
import { refuseLogs } from '../store/remote-stages.ts'
import { findLastPassed } from '../store/steps.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { plainBody } from '../lib/unpack.ts'
import type { LogStore, SavedLog } from '../interfaces/logs.ts'
import { notifyBuild, type CiContext } from './context.ts'
import { logError } from '../lib/log.ts'

/** Bytes of a log's tail that are searched: the cause is usually near the end. */
const maxBytes = 8 * 1024 * 1024
/**
 * Compressed bytes of a log whose lines are compared; a larger log would have to be decompressed
 * line by line.
 */
const maxCompared = 1024 * 1024
/** Queue limit. Logs beyond it are not searched and have no cause. */
const maxWaiting = 1_000

export interface Causes {
  /** The log of this step is complete. */
  enqueue: (stepId: number) => void
  /** Stops the search. */
  stop: () => Promise<void>
}

/** The last bytes of what a log holds. */
async function endOf(saved: SavedLog): Promise<Pick<FailedLog, 'bytes' | 'cut'>> {
  const reader = plainBody(saved).getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  let cut = false
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    await yieldToEventLoop()
    chunks.push(next.value)
    size += next.value.length
    while (size - (chunks[0]?.length ?? size) >= maxBytes) {
      size -= chunks.shift()?.length ?? 0
      cut = true
    }
  }
  // A separate buffer: transferring a view to a thread would transfer its whole buffer.
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of chunks) {
    bytes.set(piece, at)
    at += piece.length
  }
  return { bytes, cut }
}

/**
 * The log of the last successful run on this branch, or on the default branch; empty for a very
 * long log.
 */
async function knownLines({ db, logs }: CiContext, step: EndedStep): Promise<Uint8Array | undefined> {
  for (const ref of new Set([step.ref, `refs/heads/${step.defaultBranch}`])) {
    const passed = await findLastPassed(db, { ...step, ref, before: step.number })
    const saved = passed && (await logs.read(passed.id))
    if (!saved) continue
    await saved.body.cancel()
    if ((saved.size ?? Infinity) > maxCompared) return undefined
    return (await logs.fingerprint(passed.id)) ?? undefined
  }
  return undefined
}

/** False if the log was deleted meanwhile; its lines must not be stored then. */
async function isSaved(logs: LogStore, stepId: number): Promise<boolean> {
  const saved = await logs.read(stepId)
  await saved?.body.cancel()
  return saved !== null
}

/** Steps that share a log lose it together; the causes that lists show are deleted, too. */
export async function removeLogs(ci: CiContext, steps: readonly number[]): Promise<void> {
  for (const id of await listBuildsOfSteps(ci.db, steps)) {
    await ci.locks(id, async () => {
      // What a runner has yet to send, or is sending, would bring it back.
      await refuseLogs(ci.db, steps)
      for (const step of steps) await ci.logs.remove(step)
      if (await inTransaction(ci.db, (tx) => deleteCauses(tx, id, steps))) await notifyBuild(ci, id)
    })
  }
}

export const createCauses = (ci: CiContext): Causes => {
  const waiting = new Set<number>()
  let working: Promise<void> | undefined
  let stopped = false

  async function find(stepId: number): Promise<void> {
    const { db, logs, files } = ci
    const step = await findEndedStep(db, stepId)
    if (!step || (step.status !== 'failure' && step.status !== 'error') || (await hasCause(db, stepId))) return
    const saved = await logs.read(stepId)
    if (!saved) return
    const knownFingerprint = await knownLines(ci, step)
    // A failed step without an exit code counts as exit code 1.
    const log = {
      ...(await endOf(saved)),
      exitCode: step.exitCode || 1,
      ...(knownFingerprint && { known: knownFingerprint }),
    }
    const found = await files.cause(step.repoId, log)
    if (!found || stopped) return
    await ci.locks(step.buildId, async () => {
      if (!(await isSaved(logs, stepId))) return
      const visibility = await inTransaction(db, async (tx) => {
        // It may have been purged in the meantime.
        if (await findEndedStep(tx, stepId)) await saveCause(tx, step, found, ci.now())
        return visibilityOfBuild(tx, step.buildId)
      })
      await notifyBuild(ci, step.buildId, visibility)
    })
  }

  async function work(): Promise<void> {
    for (const stepId of waiting) {
      if (stopped) return
      waiting.delete(stepId)
      await find(stepId).catch((error: unknown) => {
        // The log cannot be read, or the disk is full: lists then show no reason, as before.
        if (!stopped) logError(`Could not determine why step ${stepId} failed`, error)
      })
    }
  }

  return {
    enqueue(stepId) {
      if (stopped || waiting.size >= maxWaiting) return
      waiting.add(stepId)
      working ??= work().finally(() => {
        working = undefined
      })
    },
    async stop() {
      stopped = true
      await working
    },
  }
}
