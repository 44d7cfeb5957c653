/** What the watch knows of builds, and who has been told what of them. Nothing here asks anybody. */
import { isDone, type Build, type Repo } from '@flightdeck/api'
import type { Person } from './ask.ts'

export type WithBuild = Repo & { build: Build }

/** How far a build had come; each number only grows. */
export interface Progress {
  version: number
  /** With its stages and steps, which change without it: an approval, a stage that is skipped. */
  sum: number
}

/** Somebody with an open stream, or who had one a moment ago. */
export interface Reader {
  person: Person
  /** Milliseconds; when he last asked anything. */
  seen: number
  sends: Set<(json: string) => void>
  /** The repositories that stood in answers of his own. */
  slugs: Set<string>
  told: Map<number, Progress>
  /** When his recent builds were last asked for. */
  turn: number
  asking: boolean
  /** Something changed that he may see: he is asked for at once. */
  due: boolean
  state: 'new' | 'admitted' | 'refused'
}

/** A build that goes on and that somebody looks at. */
export interface Target {
  pathname: string
  slug: string
  /** When each of them last looked, by person; who was asked for longest ago comes first. */
  lookers: Map<string, number>
  /** Whose own question is to be asked at once. */
  behind: Set<string>
  asked: number
  asking: boolean
}

export const recent = '/api/user/builds/recent'
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

/** `sum` is 0 where the answer has no stages: it says nothing about them. */
export function progressOf(build: Build): Progress {
  const version = versionOf(build)
  const parts = (build.stages ?? []).flatMap((stage) => [stage, ...(stage.steps ?? [])])
  return { version, sum: build.stages ? parts.reduce((sum, part) => sum + versionOf(part), version) : 0 }
}

/** Long done: nobody waits for it, and a page that read it has its last state. */
const isOld = ({ status, updated }: Build): boolean => isDone(status) && Date.now() / 1000 - updated > 60
const mostTold = 500

/** Is it news to this reader? Remembers that he has it from now on. */
export function isNews({ told }: Reader, build: Build): boolean {
  const before = told.get(build.id)
  const now = progressOf(build)
  if (before && before.version >= now.version && before.sum >= now.sum) return false
  told.delete(build.id)
  told.set(build.id, {
    version: Math.max(before?.version ?? 0, now.version),
    sum: Math.max(before?.sum ?? 0, now.sum),
  })
  const [oldest] = told.keys()
  if (told.size > mostTold && oldest !== undefined) told.delete(oldest)
  // At the first look the page may have read a moment earlier: what can still change is told again, and changes nothing there.
  return before !== undefined || !isOld(build)
}

/** The newest version of each build that anybody was told: what is new in it is new to all who may see it. */
export function createNewest() {
  const versions = new Map<number, number>()
  return {
    /** Has nobody seen it so far? */
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
