/** Which stage a runner gets (wire.md §5.4 "queue eligibility", §7.4). */
import type { Stage } from '@flightdeck/api'

/** What a runner asks for; empty and absent are the same. */
export interface StageFilter {
  kind?: string
  type?: string
  os?: string
  arch?: string
  variant?: string
  kernel?: string
  labels?: Readonly<Record<string, string>>
}

type Platform = Pick<Stage, 'kind' | 'type' | 'os' | 'arch' | 'variant' | 'kernel' | 'labels'>
export type QueuedStage = Platform &
  Pick<Stage, 'id' | 'repo_id' | 'name' | 'status' | 'machine' | 'limit' | 'throttle'>

const sameLabels = (a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => a[key] === b[key])

/** Whether a runner may take a stage at all. */
export const matchesFilter = (stage: Platform, filter: StageFilter): boolean => {
  if ((stage.kind || 'pipeline') !== (filter.kind || 'pipeline')) return false
  if ((stage.type || 'docker') !== (filter.type || 'docker')) return false
  const asksForPlatform = [filter.os, filter.arch, filter.variant, filter.kernel].some(Boolean)
  if (asksForPlatform) {
    if (stage.os !== (filter.os ?? '') || stage.arch !== (filter.arch ?? '')) return false
    if (stage.variant && stage.variant !== filter.variant) return false
    if (stage.kernel && stage.kernel !== filter.kernel) return false
  }
  return sameLabels(stage.labels, filter.labels)
}

/** `incomplete`: all pending and running stages of the same repository. */
export const withinLimits = (stage: QueuedStage, incomplete: readonly QueuedStage[]): boolean => {
  if (!stage.throttle && !stage.limit) return true
  const others = incomplete.filter((other) => other.repo_id === stage.repo_id && other.id !== stage.id)
  const older = others.filter((other) => other.id < stage.id)
  if (stage.throttle && older.length >= stage.throttle) return false
  if (!stage.limit) return true
  const rivals = others.filter((other) => other.id < stage.id || other.status === 'running')
  return rivals.filter((other) => other.name === stage.name).length < stage.limit
}
