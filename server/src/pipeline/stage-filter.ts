/**
 * Matches stages and runners (docs/api §5.4 "queue eligibility", §7.4); the store checks limits.
 */
import type { Stage } from '@flightdeck/api'

/** The filter that a runner sends; an empty value is the same as none. */
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

const sameLabels = (a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => a[key] === b[key])

/** A runner that names one of the four must match os and arch exactly. */
export const asksForPlatform = ({ os, arch, variant, kernel }: StageFilter): boolean =>
  [os, arch, variant, kernel].some(Boolean)

/** Whether a runner may take a stage at all. */
export const matchesFilter = (stage: Platform, filter: StageFilter): boolean => {
  if ((stage.kind || 'pipeline') !== (filter.kind || 'pipeline')) return false
  if ((stage.type || 'docker') !== (filter.type || 'docker')) return false
  if (asksForPlatform(filter)) {
    if (stage.os !== (filter.os ?? '') || stage.arch !== (filter.arch ?? '')) return false
    if (stage.variant && stage.variant !== filter.variant) return false
    if (stage.kernel && stage.kernel !== filter.kernel) return false
  }
  return sameLabels(stage.labels, filter.labels)
}
