import { setTimeout as delay } from 'node:timers/promises'
import type { Stage, Step } from '@flightdeck/api'
import { stageResult } from '../pipeline/rollup.ts'
import type { AccountSweeper } from '../machine/account-sweeper.ts'
import type { Account } from '../machine/account.ts'
import type { PipelineFiles } from '../pipeline-files/pipeline-files.ts'
import { removeKernelObjects } from '../machine/kernel-objects.ts'
import type { Protection } from '../machine/protection.ts'
import { Refusal, OptimisticLockError } from '../lib/refusal.ts'
import { restartText, type PrepareClone, type RunnerManager, type StageContext } from '../interfaces/runner.ts'
import type { OutputReader } from './output/output-reader.ts'
import type { Pipes } from './processes/output-pipes.ts'
import type { Starter } from './processes/starter.ts'
import type { DiskGuard } from './disk/disk-guard.ts'
import { plannedStep, prepareStage } from './prepare.ts'
import { createNetrcRefresher, netrcSecrets, writeNetrc } from './netrc.ts'
import { secretFinder } from './secrets.ts'
import { runSteps, type StopReason } from './run-steps.ts'
import type { StageRun } from './run-step.ts'
import { createWorkspace, type Workspace } from './workspace.ts'
import { DiskFullError } from '../lib/disk-space.ts'
import { errorMessage } from '../lib/error-message.ts'
import { publicMessage } from '../lib/public-text.ts'

/** What all stages of a runner share. */
export interface RunnerParts {
  manager: RunnerManager
  files: Pick<PipelineFiles, 'prepare'>
  folderMark: string
  /** Creates the folder again if it was deleted. */
  workspaceRoot: () => Promise<string>
  /** Ends stages that fill the disk. */
  diskGuard: DiskGuard
  pipes: Pipes
  outputs: OutputReader
  starter: Starter
  protection: Protection
  /**
   * Removes what a stage's account left before another stage gets the account: keys with a sandbox,
   * otherwise files.
   */
  sweeper: AccountSweeper
  prepareClone: PrepareClone
  /** The URL where steps reach this server, if it is not the URL for browsers. */
  reach: string | undefined
  gitEnvironment: Readonly<Record<string, string>>
  hostEnvironment: Readonly<Record<string, string>>
  /**
   * The length of one minute of a repository's time limit, in milliseconds. Tests use a shorter
   * one.
   */
  minute: number
  /** Returns the clock of a stage, in Unix seconds, which starts when the stage starts. */
  startClock: () => () => number
  readonly log: (message: string, error?: unknown) => void
}

const firstRetryMs = 500
const maxRetryMs = 60_000

/** Adds the clock of one stage. */
type StageParts = RunnerParts & { now: () => number }

const standardMinutes = 60
/** The longest delay of a timer, almost 25 days. A timer with a longer delay would fire at once. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Runs a stage from its context to its final report. `stopped` ends it because the server stops.
 */
export async function runStage(given: RunnerParts, accepted: Stage, stopped: AbortSignal): Promise<void> {
  const parts = { ...given, now: given.startClock() }
  const { manager, now } = parts
  try {
    const { final, cleanUp } = await manager.details(accepted.id, parts.reach).then(
      (context) => {
        const stage = { ...context.stage, version: accepted.version, started: now() }
        return executeUntilEnd(parts, { ...context, stage }, stopped)
      },
      // No other runner takes the stage: without a report it would stay running.
      (error: unknown) => ({
        final: { ...accepted, ...failure(error, accepted, parts.log), started: now() },
        cleanUp: async () => {},
      }),
    )
    // The build's end does not wait for the removal of its folders. They are also removed while a
    // full disk prevents reports.
    const reported = report(parts, { ...final, stopped: now() }, stopped)
    reported.catch(() => {})
    await cleanUp()
    await reported
  } catch (error) {
    // The build was canceled or deleted: the manager has ended the stage and accepts no more
    // reports.
    if (error instanceof OptimisticLockError || (error instanceof Refusal && error.status === 404)) return
    throw error
  }
}

/**
 * Reports the end of a stage. Retries with backoff after an error that is not a response of the
 * manager, because without a report the build would run until a restart. Throws the last error when
 * the server stops.
 */
async function report(parts: RunnerParts, final: Stage, stopped: AbortSignal): Promise<void> {
  for (let pauseMs = firstRetryMs; ; pauseMs = Math.min(2 * pauseMs, maxRetryMs)) {
    try {
      await parts.manager.updateStage(final)
      return
    } catch (error) {
      if (error instanceof OptimisticLockError || error instanceof Refusal || stopped.aborted) throw error
      if (pauseMs === firstRetryMs) parts.log(`the end of stage ${final.id} could not be reported; retrying`, error)
      await delay(pauseMs, undefined, { signal: stopped }).catch(() => {})
    }
  }
}

async function executeUntilEnd(parts: StageParts, context: StageContext, stopped: AbortSignal): Promise<Executed> {
  const end = watchForEnd(parts, context, stopped)
  try {
    return await execute(parts, context, end)
  } finally {
    end.stop()
  }
}

/**
 * The reason that users see. A message that contains a path of the machine is only written to the
 * server's log.
 */
function failure(error: unknown, { id }: Stage, log: RunnerParts['log']) {
  const reason = publicMessage(error)
  if (reason !== errorMessage(error)) log(`stage ${id} could not be run`, error)
  return { status: 'error', exit_code: 255, error: reason } as const
}

/**
 * Returns a signal that aborts at the first event that ends the stage, with a `StopReason` or a
 * `DiskFullError`.
 */
function watchForEnd({ manager, minute, ...parts }: RunnerParts, { build, repo }: StageContext, stopped: AbortSignal) {
  const ending = new AbortController()
  const watching = new AbortController()
  const end = (reason: StopReason | DiskFullError) => ending.abort(reason)
  const onStop = () => end('stopped')
  if (stopped.aborted) onStop()
  else stopped.addEventListener('abort', onStop, { once: true })
  const timer = setTimeout(() => end('timeout'), Math.min(maxTimerMs, (repo.timeout || standardMinutes) * minute))
  manager.watch(build.id, watching.signal).then(
    (over) => {
      if (over) end('cancelled')
    },
    (error: unknown) => parts.log(`build ${build.id} cannot be watched`, error),
  )
  return {
    signal: ending.signal,
    end,
    stop() {
      clearTimeout(timer)
      stopped.removeEventListener('abort', onStop)
      watching.abort()
    },
  }
}

interface Executed {
  /** The stage as its end is reported. */
  final: Stage
  /** Releases the stage's resources. Must be called. */
  cleanUp: () => Promise<void>
}

async function execute(
  parts: StageParts,
  context: StageContext,
  { signal, end }: Pick<ReturnType<typeof watchForEnd>, 'signal' | 'end'>,
): Promise<Executed> {
  const { accounts, sandbox } = parts.protection
  let account: Account | undefined
  let workspace: Workspace | undefined
  let unwatch = () => {}
  const running = { steps: 0, logBytes: 0 }
  const prepare = async () => {
    account = accounts.claim()
    workspace = await createWorkspace(await parts.workspaceRoot(), context.stage.id, account, sandbox !== undefined)
    const uid = account?.exclusive && account.uid
    const { folder } = workspace
    unwatch = parts.diskGuard.watch({
      id: context.stage.id,
      folder,
      uid,
      usesShared: uid !== undefined && !sandbox,
      logBytes: () => running.logBytes,
      end,
    })
    await writeNetrc(workspace, context.origin.netrc, account)
    return { account, workspace, running }
  }
  const final = await runPrepared(parts, context, signal, prepare)
  // Done before the end is reported, because afterwards other stages can use the account and the
  // kernel objects.
  if (account?.exclusive && !sandbox) await removeKernelObjects(account.uid)
  return {
    final,
    async cleanUp() {
      await workspace?.remove().catch((error: unknown) => parts.log('a workspace could not be removed', error))
      unwatch()
      // No stage gets the account before its traces are removed; the runner's slot is free at once.
      if (account?.exclusive) void parts.sweeper.sweep(account.uid).then(() => accounts.release(account))
      else accounts.release(account)
    },
  }
}

async function runPrepared(
  parts: StageParts,
  context: StageContext,
  signal: AbortSignal,
  prepare: () => Promise<Pick<StageRun, 'account' | 'workspace' | 'running'>>,
): Promise<Stage> {
  const { manager, now } = parts
  let stage = context.stage
  let steps: Step[] = []
  try {
    const { plans, environment, secrets } = await prepareStage(parts.files, context, now())
    const prepared = await prepare()
    const planned = plans.map((plan) => plannedStep(plan, stage.id))
    stage = await manager.updateStage({ ...stage, status: 'running', steps: planned })
    steps = stage.steps ?? []
    const hidden = [...secrets, ...netrcSecrets(context.origin.netrc)]
    const outputs = [parts.outputs.stage(hidden)]
    const keeper = createNetrcRefresher({
      given: context.origin.netrc,
      fetchCredential: () => manager.credential(context.stage.id, parts.reach),
      async write(netrc) {
        // Masks the credential before a step can read it.
        hidden.push(...netrcSecrets(netrc))
        outputs.push(parts.outputs.stage([...hidden]))
        await writeNetrc(prepared.workspace, netrc, prepared.account)
      },
      // Ends of a period are computed with the system clock.
      now: () => Math.floor(Date.now() / 1000),
      log: (message) => parts.log(message),
    })
    const output: StageRun['output'] = {
      open: (append) => (outputs.at(-1) ?? parts.outputs.stage(hidden)).open(append),
      close() {
        for (const one of outputs) one.close()
      },
    }
    const run = {
      ...parts,
      ...prepared,
      context,
      environment,
      output,
      renewCredential: async () => void (await keeper.renew()),
      findSecret: secretFinder(secrets),
      stage: () => ({ ...stage, steps }),
    }
    await runSteps(run, { plans, steps }, signal).finally(() => run.output.close())
    const result = { ...stage, ...stageResult(steps), steps }
    if (!signal.aborted) return result
    if (signal.reason instanceof DiskFullError) {
      return { ...result, status: 'error', exit_code: 255, error: signal.reason.message }
    }
    // docs/api §5.7 "timeout" applies even if no step was running at that moment.
    if (signal.reason !== 'stopped') return { ...result, status: 'killed', exit_code: 137 }
    return { ...result, status: 'error', exit_code: 255, error: restartText }
  } catch (error) {
    return { ...stage, ...failure(error, stage, parts.log), ...(steps.length > 0 && { steps }) }
  }
}
