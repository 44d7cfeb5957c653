/**
 * What the poller knows of builds, and which person has received which version. Sends no requests.
 */
import { isDone, type Build, type Repo } from '@flightdeck/api'
import type { Person } from './viewer-request.ts'

export type WithBuild = Repo & { build: Build }

/** How far a build had come; each number only grows. */
export interface Progress {
  version: number
  /** With its stages and steps, which change without it: an approval, a stage that is skipped. */
  sum: number
}

/** A person with an open stream, or who had one a moment ago. */
export interface Reader {
  person: Person
  /**
   * Milliseconds; since when what is on the screen is kept true. What ended long before was read as
   * it is.
   */
  from: number
  /**
   * The repositories with a permission row, as listed by the server: their new builds are in the
   * recent ones.
   */
  repos: Set<string>
  /**
   * Of the builds in the last answer for the recent ones; `newestId` is the largest ever, 0 before
   * the first answer.
   */
  recentIds: Set<number>
  newestId: number
  /**
   * The list of repositories is on a screen: how large it was in bytes, when it was last asked for,
   * and whether it may lack builds.
   */
  dashboard: { bytes: number; requestedAt: number; isBehind: boolean } | null
  /** Milliseconds; when this person last asked anything. */
  lastSeen: number
  sends: Set<(json: string) => void>
  /**
   * The repositories whose new builds appear in this person's recent builds, as far as is known.
   */
  slugs: Set<string>
  sent: Map<number, Progress>
  /** When this person's recent builds were last asked for. */
  lastTurn: number
  asking: boolean
  /** Something changed that this person may see: the next poll is immediate. */
  due: boolean
  state: 'new' | 'admitted' | 'refused'
}

/** An unfinished build that is on a screen: on its own page (`pages`), or in a list. */
export interface Target {
  pathname: string
  slug: string
  number: number
  /** The people that have it on a page with its stages. */
  pages: Set<string>
  /** Milliseconds; when a list last contained it. */
  listed: number
  /** Too old for the list of its repository that is polled. */
  isOlder: boolean
  /** When each person last viewed it; the least recently polled comes first. */
  lookers: Map<string, number>
  /** People whose own request must be sent immediately. */
  staleFor: Set<string>
  requestedAt: number
  /** Questions under way. */
  asking: number
  /** Milliseconds; when it was first known to have finished, 0 before. */
  finishedAt: number
}

/** A repository's builds that are on a screen as a list. */
export interface List {
  slug: string
  /** When each person last viewed it; the least recently polled comes first. */
  lookers: Map<string, number>
  staleFor: Set<string>
  requestedAt: number
  /** Questions under way. */
  asking: number
}

export const recent = '/api/user/builds/recent'
/** The size of Drone's list of recent builds; older ones are requested elsewhere. */
export const maxRecent = 25
export const dashboard = '/api/user/repos'
const ofList = /^\/api\/repos\/[^/]+\/[^/]+\/builds(\/(branches|pulls|deployments))?$/
export const isList = (pathname: string): boolean => ofList.test(pathname)
export const pathOfBuild = (slug: string, number: number): string => `/api/repos/${slug}/builds/${number}`
export const ofBuild = /^\/api\/repos\/[^/]+\/[^/]+\/builds\/\d{1,15}$/
const ofRepo = /^\/api\/repos\/([^/]+)\/([^/]+)(?=\/|$)/

export function slugOf(pathname: string): string | null {
  const [, namespace, name] = ofRepo.exec(pathname) ?? []
  if (namespace === undefined || name === undefined) return null
  try {
    return `${decodeURIComponent(namespace)}/${decodeURIComponent(name)}`
  } catch {
    return null
  }
}

const versionOf = ({ version }: { version?: number }): number => version ?? 0

/** `sum` is 0 if the response has no stages, which is not information about them. */
export function progressOf(build: Build): Progress {
  const version = versionOf(build)
  const parts = (build.stages ?? []).flatMap((stage) => [stage, ...(stage.steps ?? [])])
  return { version, sum: build.stages ? parts.reduce((sum, part) => sum + versionOf(part), version) : 0 }
}

const marginMs = 60_000

/**
 * Nothing of it changes any more. Drone cancels a build, notifies the forge, and only then ends the
 * stages and steps one by one; some of a declined build never end.
 */
export function isSettled({ status, stages = [] }: Build, finishedMs: number): boolean {
  if (!isDone(status)) return false
  const parts = stages.flatMap((stage) => [stage, ...(stage.steps ?? [])])
  return finishedMs >= marginMs || parts.every((part) => isDone(part.status))
}

/** Finished before the screen was read: no one waits for it, and the page has its last state. */
const isOld = ({ status, updated }: Build, from = Date.now()): boolean =>
  isDone(status) && updated * 1000 < from - marginMs
const maxSent = 5_000

/** Is it news to this reader? */
export function isUnseen({ sent, from }: Reader, build: Build): boolean {
  const before = sent.get(build.id)
  const now = progressOf(build)
  if (before) return before.version < now.version || before.sum < now.sum
  // At the first poll the page may have read a moment earlier: a state that can still change is
  // sent again, which is harmless.
  return !isOld(build, from)
}

/** The reader has it from now on. */
export function remember({ sent }: Reader, build: Build): void {
  const before = sent.get(build.id)
  const now = progressOf(build)
  sent.delete(build.id)
  sent.set(build.id, {
    version: Math.max(before?.version ?? 0, now.version),
    sum: Math.max(before?.sum ?? 0, now.sum),
  })
  const [oldest] = sent.keys()
  if (sent.size > maxSent && oldest !== undefined) sent.delete(oldest)
}

/**
 * The newest version of each build that was sent to anyone: what is new in it is new to all who may
 * see it.
 */
export function createNewest() {
  const versions = new Map<number, number>()
  return {
    /** Whether no one has seen it yet. */
    take(build: Build): boolean {
      const before = versions.get(build.id)
      const version = versionOf(build)
      if (before !== undefined && before >= version) return false
      versions.delete(build.id)
      versions.set(build.id, version)
      const [oldest] = versions.keys()
      if (versions.size > 20_000 && oldest !== undefined) versions.delete(oldest)
      return before !== undefined || !isOld(build)
    },
  }
}
