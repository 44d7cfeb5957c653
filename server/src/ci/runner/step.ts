import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stage, Step } from '@flightdeck/api'
import { stepEnvironment } from '../../pipeline/environment.ts'
import { Masker, type MaskedSecret } from '../../pipeline/mask.ts'
import type { EnvironmentValue } from '../../pipeline/doc.ts'
import type { StepPlan } from '../../pipeline/steps.ts'
import type { Account } from '../processes/account.ts'
import { runProcess } from '../processes/run.ts'
import type { RunnerManager, StageContext } from '../types.ts'
import { cloneCommands, cloneEnvironment, handOver } from './clone.ts'
import { createOutput } from './output.ts'
import { stepScript } from './script.ts'
import { findSecret } from './secrets.ts'
import type { Workspace } from './workspace.ts'

/** What all steps of a stage share. */
export interface StageRun {
  manager: RunnerManager
  context: StageContext
  /** As it is now: its steps tell what has failed. */
  stage: () => Stage
  workspace: Workspace
  /** What the file gives to all steps, below their own. */
  environment: Readonly<Record<string, EnvironmentValue>>
  secrets: readonly MaskedSecret[]
  folderMark: string
  account: Account | undefined
  gitEnvironment: Readonly<Record<string, string>>
  /** What of the server's environment a step may see. */
  hostEnvironment: Readonly<Record<string, string>>
  now: () => number
}

export type StepResult = Pick<Step, 'status' | 'exit_code' | 'error'>

/** Runs what a step says and answers how it ended (wire.md §5.7). */
export async function runStep(run: StageRun, plan: StepPlan, step: Step, signal: AbortSignal): Promise<StepResult> {
  const { context, workspace, manager } = run
  const output = createOutput({
    masker: new Masker(run.secrets),
    append: (lines) => manager.appendLog(step.id, lines),
  })
  try {
    const script = join(workspace.scripts, `${plan.number}.sh`)
    const commands = plan.isClone ? cloneCommands(context.build, context.cloneFrom) : plan.commands
    await writeFile(script, stepScript(commands))
    // Whatever the server's umask: the steps' account reads it.
    await chmod(script, 0o644)
    const { code, killed } = await runProcess({
      command: '/bin/sh',
      args: ['-e', script],
      cwd: workspace.source,
      env: plan.isClone ? cloneVariables(run) : variables(run, plan),
      scratch: workspace.scripts,
      folderMark: run.folderMark,
      ...(run.account && !plan.isClone && { account: run.account }),
      signal,
      onOutput: (bytes) => output.write(bytes),
    })
    await output.end()
    if (killed) return { status: 'killed', exit_code: 137 }
    // Also after a failure: there may be steps for that case.
    if (plan.isClone) await handOver(workspace.source, run.account)
    return resultOf(code)
  } catch (error) {
    if (signal.aborted) return { status: 'killed', exit_code: 137 }
    return { status: 'error', exit_code: 255, error: error instanceof Error ? error.message : String(error) }
  }
}

/** 78 ends the stage early and well; the code is kept (wire.md §5.7). */
export const earlyExit = 78

const resultOf = (code: number): StepResult => ({
  status: code === 0 || code === earlyExit ? 'success' : 'failure',
  exit_code: code,
})

function cloneVariables({ gitEnvironment, hostEnvironment, workspace }: StageRun): Record<string, string> {
  return {
    ...hostEnvironment,
    ...cloneEnvironment(gitEnvironment),
    HOME: workspace.home,
    TMPDIR: workspace.temporary,
  }
}

/** The step's own come last, so that it can set everything for itself. */
function variables(run: StageRun, plan: StepPlan): Record<string, string> {
  const { context, workspace, secrets, now } = run
  const { system, build } = context
  const own = Object.entries({ ...run.environment, ...plan.environment }).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : findSecret(secrets, value.from_secret),
  ])
  return {
    ...run.hostEnvironment,
    ...stepEnvironment({
      system,
      repo: context.repo,
      build,
      stage: run.stage(),
      step: plan,
      workspace: workspace.source,
      home: workspace.home,
      now: now(),
    }),
    DRONE_CARD_PATH: '/dev/stdout',
    TMPDIR: workspace.temporary,
    ...Object.fromEntries(own),
  }
}
