import { chmod, chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stage, Step } from '@flightdeck/api'
import { identity, stepEnvironment } from '../pipeline/environment.ts'
import { withEnvironment } from '../pipeline/expand.ts'
import type { EnvironmentValue } from '../pipeline/doc.ts'
import type { StepPlan } from '../pipeline/steps.ts'
import type { Account } from '../machine/account.ts'
import { endAccount } from '../machine/end-account.ts'
import type { Protection } from '../machine/protection.ts'
import { helperEnvironment } from '../machine/sandbox/sandbox.ts'
import { becomeStep, fromDescriptor, limitProcesses } from '../machine/sandbox/script.ts'
import { inside } from '../machine/sandbox/skeleton.ts'
import type { Pipes } from './processes/output-pipes.ts'
import { runProcess, type RunOptions, type RunResult } from './processes/run-process.ts'
import type { Starter } from './processes/starter.ts'
import type { PreparedClone, PrepareClone, RunnerManager, StageContext } from '../interfaces/runner.ts'
import {
  cloneCommands,
  cloneEnvironment,
  cloneFailure,
  cloneLimits,
  chownClone,
  wantedRefs,
  writeTemplate,
} from './clone.ts'
import { chownSmallFolder } from './small-folders.ts'
import type { StageOutput } from './output/output-reader.ts'
import { stepScript } from '../pipeline/shell.ts'
import { enter, shellVariables } from './script.ts'
import type { FindSecret } from './secrets.ts'
import { deletedWorkspace, openParent, type Workspace } from './workspace.ts'
import { errorMessage } from '../lib/error-message.ts'
import { publicMessage } from '../lib/public-text.ts'

/** What all steps of a stage share. */
export interface StageRun {
  manager: RunnerManager
  context: StageContext
  /** Returns the current stage, whose steps show what has failed. */
  stage: () => Stage
  workspace: Workspace
  /** The environment of all steps. The environment of a single step wins. */
  environment: Readonly<Record<string, EnvironmentValue>>
  output: StageOutput
  /** Runs before each step, because the credential for git may have expired. */
  renewCredential: () => Promise<void>
  findSecret: FindSecret
  folderMark: string
  pipes: Pipes
  starter: Starter
  protection: Protection
  account: Account | undefined
  running: {
    /** How many steps are running. */
    steps: number
    /** The size of the logs of all steps of the stage. */
    logBytes: number
  }
  prepareClone: PrepareClone
  /** The URL where steps reach this server, if it is not the URL for browsers. */
  reach: string | undefined
  gitEnvironment: Readonly<Record<string, string>>
  /** The part of the server's environment that steps can see. */
  hostEnvironment: Readonly<Record<string, string>>
  now: () => number
  readonly log: (message: string, error?: unknown) => void
}

/** How much of git's output in a clone step is buffered. Its errors come last. */
const maxBufferedBytes = 4096

export type StepResult = Pick<Step, 'status' | 'exit_code' | 'error'>

/** Runs a step's commands and returns the result (docs/api §5.7). */
export async function runStep(run: StageRun, plan: StepPlan, step: Step, signal: AbortSignal): Promise<StepResult> {
  const { context, workspace, manager } = run
  if (!plan.isClone) await run.renewCredential()
  const output = run.output.open((rows) => {
    run.running.logBytes += rows.bytes.length
    return manager.appendLog(step.id, rows)
  })
  try {
    const deleted = deletedWorkspace(workspace)
    if (deleted !== null) throw new Error(deleted)
    const script = join(workspace.scripts, `${plan.number}.sh`)
    const { sandbox } = run.protection
    const options = { refs: wantedRefs(context.build), mounted: sandbox && inside }
    const clone = plan.isClone ? await run.prepareClone(workspace.folder, context.cloneFrom, options) : undefined
    if (!plan.isClone) await openParent(workspace.parent)
    const commands = clone ? cloneCommands(context.build, clone, plan.depth) : plan.commands
    if (clone) {
      await writeTemplate(workspace.scripts, originUrl(context))
      // git refuses repositories and work trees of other accounts.
      if (mustChownClone(run)) await chown(workspace.source, process.geteuid?.() ?? 0, process.getegid?.() ?? 0)
      else if (run.account) await chownSmallFolder(clone.repository, run.account)
    }
    let gitOutput = Buffer.alloc(0)
    await writeFile(script, stepScript(commands))
    // Set explicitly, because the server's umask could prevent the steps' account from reading it.
    await chmod(script, 0o644)
    const { code, killed } = await runAlone(run, {
      ...(await commandOf(run, plan, clone)),
      // A step could replace the working directory by a link, which the server would follow.
      cwd: workspace.folder,
      pipes: run.pipes,
      starter: run.starter,
      folderMark: run.folderMark,
      signal,
      onOutput(bytes) {
        if (clone) gitOutput = Buffer.concat([gitOutput, bytes]).subarray(-maxBufferedBytes)
        return output.write(bytes)
      },
    })
    if (clone && code !== 0 && !killed) {
      const reason = cloneFailure(context.build, clone, { source: workspace.source, output: gitOutput.toString() })
      if (reason !== '') await output.write(Buffer.from(`${reason}\n`))
    }
    const deletedMeanwhile = code !== 0 && !killed ? deletedWorkspace(workspace) : null
    if (deletedMeanwhile !== null) await output.write(Buffer.from(`${deletedMeanwhile}\n`))
    await output.end()
    if (killed) return { status: 'killed', exit_code: 137 }
    // Also after a failure, because some steps run only then.
    if (plan.isClone && mustChownClone(run)) await chownClone(workspace.source, run.account)
    return resultOf(code)
  } catch (error) {
    if (signal.aborted) return { status: 'killed', exit_code: 137 }
    return { status: 'error', exit_code: 255, error: deletedWorkspace(workspace) ?? reasonOf(run, error, step) }
  } finally {
    output.close()
  }
}

/**
 * The reason that users see. A message that contains a path of the machine is only written to the
 * server's log.
 */
function reasonOf({ log }: StageRun, error: unknown, { id }: Step): string {
  const reason = publicMessage(error)
  if (reason !== errorMessage(error)) log(`step ${id} could not be run`, error)
  return reason
}

/**
 * Whether only the server itself can clone for this account, which is the case on a machine without
 * `setpriv`.
 */
const mustChownClone = ({ account, protection: { sandbox, readAs } }: StageRun): boolean =>
  account !== undefined && !sandbox && !readAs

/**
 * The command that starts a step: in separate namespaces, as its account, or as the server's user.
 */
async function commandOf(run: StageRun, plan: StepPlan, clone: PreparedClone | undefined) {
  const { workspace, protection } = run
  const { sandbox } = protection
  const environment = clone ? cloneVariables(run, clone) : stepVariables(run, plan)
  const limits = `${protection.isolation === 'none' ? '' : limitProcesses}${clone ? cloneLimits() : ''}`
  const commands = `${limits}${shellVariables(environment)}`
  const account = clone && mustChownClone(run) ? undefined : run.account
  const name = `${plan.number}.sh`
  if (sandbox) {
    const argv = ['/bin/sh', '-e', join(inside.scripts, name)]
    const wrapped = await sandbox.wrap(workspace, argv, { account, clone, variables: commands })
    return { ...wrapped, contained: true, ...(account && { account }) }
  }
  const readAs = clone && account && protection.readAs
  const prefix = [...(readAs ? readAs(account) : ((account && protection.prefix) ?? [])), ...protection.keyring]
  // The helpers run without the step's variables, which could name a library for them to load.
  const [command, ...args] = [...prefix, ...fromDescriptor, '/bin/sh', '-e', join(workspace.scripts, name)]
  const ids = account && { account, changesAccount: readAs !== undefined }
  const variables = `${enter(workspace.source)}${commands}${becomeStep}`
  return { command, args, env: helperEnvironment, variables, ...ids }
}

/** Runs a step. When the last running step of an account ends, all processes of the account end. */
async function runAlone(run: StageRun, options: RunOptions): Promise<RunResult> {
  const { account, protection, running } = run
  const separate = account?.exclusive && !protection.sandbox
  running.steps += 1
  try {
    return await runProcess(options)
  } finally {
    running.steps -= 1
    if (separate && running.steps === 0) await endAccount(account)
  }
}

/**
 * Exit code 78 ends the stage early as successful; the step's exit code stays 78 (docs/api §5.7).
 */
export const earlyExit = 78

const resultOf = (code: number): StepResult => ({
  status: code === 0 || code === earlyExit ? 'success' : 'failure',
  exit_code: code,
})

/** A repository without a URL is cloned from its folder. */
const originUrl = ({ origin, cloneFrom }: StageContext) => origin.url || cloneFrom

/**
 * Excludes this server from the proxy, which cannot reach this machine. Requests for `origin` on a
 * forge may need the proxy.
 */
function withoutProxy(
  host: Readonly<Record<string, string>>,
  origin: string,
  reach: string | undefined,
): Record<string, string> {
  const hasProxy = Object.keys(host).some((name) => /^(https?|all)_proxy$/i.test(name))
  if (!hasProxy || reach === undefined || !origin.startsWith(`${reach}/`)) return {}
  const list = (known: string | undefined) => [known, new URL(reach).hostname].filter(Boolean).join(',')
  return { no_proxy: list(host['no_proxy'] ?? host['NO_PROXY']), NO_PROXY: list(host['NO_PROXY'] ?? host['no_proxy']) }
}

const foldersOf = ({ protection, workspace }: StageRun) => (protection.sandbox ? inside : workspace)

function cloneVariables(run: StageRun, { repository, facts }: PreparedClone): Record<string, string> {
  const { context, gitEnvironment, hostEnvironment, protection } = run
  const view = protection.sandbox ? inside.repository : repository
  const folders = foldersOf(run)
  return {
    ...hostEnvironment,
    ...cloneEnvironment(gitEnvironment, { origin: originUrl(context), view, scripts: folders.scripts, facts }),
    // The author of the merge commit of a pull request.
    ...identity(context.build),
    // The clone does not need the user's configuration, and cannot read it inside the sandbox.
    GIT_CONFIG_GLOBAL: '/dev/null',
    HOME: folders.home,
    TMPDIR: folders.temporary,
  }
}

/** The step's own variables come last, so that it can override all others. */
function stepVariables(run: StageRun, plan: StepPlan): Record<string, string> {
  const { context, findSecret, now } = run
  const folders = foldersOf(run)
  const { system, build } = context
  const given = {
    ...run.hostEnvironment,
    ...withoutProxy(run.hostEnvironment, context.origin.url, run.reach),
    ...stepEnvironment({
      system,
      repo: context.repo,
      build,
      stage: run.stage(),
      step: plan,
      workspace: folders.source,
      home: folders.home,
      now: now(),
    }),
    DRONE_CARD_PATH: '/dev/stdout',
    TMPDIR: folders.temporary,
  }
  return withEnvironment(withEnvironment(given, run.environment, findSecret), plan.environment, findSecret)
}
