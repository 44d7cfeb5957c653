/** The differences between a new build and the build that it is made from. */
import type { Build } from '@flightdeck/api'

import { withTyped, type Param } from './params.ts'

/** The initial values of the dialog. */
export interface Origin {
  number: number
  branch: string
  commit: string
  params: readonly Param[]
  /**
   * A manually started build has a different event than a push, so conditions may select other
   * steps.
   */
  event: string
}

export interface Difference {
  what: string
  before: string
  after: string
}

/**
 * In the dialog's format: a branch by name, a tag by ref. Servers omit empty values, or send
 * `null`.
 */
const branchOf = ({ event, ref: given, source, target }: Partial<Build>): string => {
  const ref = given ?? ''
  if (ref.startsWith('refs/tags/')) return ref
  return (event === 'pull_request' ? source : target) || ref.replace(/^refs\/heads\//, '')
}

export const originOf = (build: Build): Origin => {
  const partial: Partial<Build> = build
  return {
    number: build.number,
    branch: branchOf(build),
    commit: partial.after ?? '',
    params: Object.entries(build.params ?? {}).map(([key, value]) => ({ key, value })),
    event: build.event,
  }
}

export const noValue = 'none'

const paramDifferences = (before: readonly Param[], after: readonly Param[]): Difference[] => {
  const old = new Map(before.map(({ key, value }) => [key, value]))
  const now = new Map(after.map(({ key, value }) => [key, value]))
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => old.get(key) !== now.get(key))
    .map((key) => ({ what: key, before: old.get(key) ?? noValue, after: now.get(key) ?? noValue }))
}

export const differences = (
  from: Origin,
  to: { branch: string; commit: string; params: readonly Param[]; typed: Param },
): Difference[] => {
  const [branch, commit] = [to.branch.trim(), to.commit.trim()]
  return [
    ...(from.event === 'custom' ? [] : [{ what: 'Event', before: from.event, after: 'custom' }]),
    ...(branch === from.branch ? [] : [{ what: 'Branch', before: from.branch, after: branch || 'the default branch' }]),
    ...(commit !== '' && from.commit.startsWith(commit)
      ? []
      : [
          {
            what: 'Commit',
            before: from.commit.slice(0, 8) || 'unknown',
            after: commit.slice(0, 40) || 'the latest on the branch',
          },
        ]),
    ...paramDifferences(from.params, withTyped(to.params, to.typed)),
  ]
}
