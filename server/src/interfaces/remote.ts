/**
 * What runners on other machines may ask (docs/api §7.3). `http` speaks their language, the rules
 * are here.
 */
import type { Line, Stage, Step } from '@flightdeck/api'
import type { AskedFrom, Card, RunnerFilter, StageContext } from './runner.ts'

/** A call of a runner. */
export interface RemoteCall {
  /** The runner's address; runners send their name once, at `accept`. */
  address: string
  /**
   * How this runner reaches us, if it differs from browsers: it clones from there. Without a
   * trailing slash.
   */
  reach?: string | undefined
  /** Aborted when the runner disconnects. */
  signal: AbortSignal
}

export interface RemoteManager {
  /** Waits for a stage that fits; `null` when `signal` aborts first. */
  request(filter: RunnerFilter, signal: AbortSignal, from: AskedFrom): Promise<Stage | null>
  accept(stageId: number, machine: string, call: RemoteCall): Promise<Stage>
  details(stageId: number, call: RemoteCall): Promise<StageContext>
  updateStage(report: Stage, call: RemoteCall): Promise<Stage>
  updateStep(report: Step, call: RemoteCall): Promise<Step>
  /**
   * Resolves true as soon as the build is canceled or finished (immediately if it already is),
   * false when `until` is aborted.
   */
  watch(buildId: number, call: RemoteCall, until: AbortSignal): Promise<boolean>
  appendLog(stepId: number, lines: readonly Line[], call: RemoteCall): Promise<void>
  /** Keeps the bytes as they are. */
  uploadLog(stepId: number, content: AsyncIterable<Uint8Array>, call: RemoteCall): Promise<void>
  storeCard(stepId: number, card: Card, call: RemoteCall): Promise<void>
  /**
   * The folder of the repository `slug` for clones with our netrc; `null` if the credentials are
   * invalid, or for another repository.
   */
  cloneFrom(login: string, password: string, slug: string): Promise<string | null>
}
