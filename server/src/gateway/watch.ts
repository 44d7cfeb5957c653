/**
 * Keeps open pages fresh where Drone is silent (issue 14, point 3): it sends no event when a build is created or cancelled,
 * none for what others approve, and drops those of slow readers. So the gateway asks in the name of each person who has a
 * stream open – for the recent builds, and for the unfinished builds that were looked at – every 5 s while something
 * changes, ever less often while nothing does, and at once after a call that passed through it. What changed goes into that
 * person's streams and into nobody else's.
 */
import { isDone, type Build, type Repo } from '@flightdeck/api'
import { ask, Unanswered, type Person } from './ask.ts'
import type { Upstream } from './upstream.ts'

export interface Watch {
  /** A stream of this person is open; `send` puts an event into it. Answers what ends it. */
  join(person: Person, send: (json: string) => void): () => void
  /** The person has read this address. */
  looked(person: Person, pathname: string): void
  /** A call that may have changed a build has succeeded. */
  acted(pathname: string): void
  stop(): void
}

interface Target {
  person: Person
  /** A build's address, or that of the recent builds. */
  pathname: string
  /** Versions of builds as they were last told, by id. */
  known: Map<number, number>
  due: number
  pause: number
}

interface Reader {
  person: Person
  /** When he last asked anything. */
  seen: number
  sends: Set<(json: string) => void>
  targets: Map<string, Target>
}

type WithBuild = Repo & { build: Build }

const recent = '/api/user/builds/recent'
const ofBuild = /^\/api\/repos\/[^/]+\/[^/]+\/builds\/\d{1,15}$/
const mostBuilds = 20
const atOnce = 8
const lookMs = 60_000

export interface WatchTimes {
  /** Milliseconds. */
  first: number
  longest: number
  tick: number
}

export function createWatch(
  upstream: Upstream,
  { first, longest, tick }: WatchTimes = { first: 5_000, longest: 30_000, tick: 100 },
): Watch {
  const readers = new Map<string, Reader>()
  const asking = new Set<Target>()

  const tell = ({ sends }: Reader, { known }: Target, told: WithBuild): boolean => {
    const { id, version } = told.build
    const before = known.get(id)
    if (before !== undefined && before >= version) return false
    known.set(id, version)
    // At the first look the page may have read a moment earlier: what can still change is told again, and changes nothing there.
    if (before === undefined && isDone(told.build.status) && Date.now() / 1000 - told.build.updated > 60) return false
    const json = JSON.stringify(told)
    for (const send of sends) send(json)
    return true
  }

  async function look(reader: Reader, target: Target): Promise<boolean> {
    const { person, pathname } = target
    const answer = await ask(upstream, person, pathname)
    if (pathname === recent) {
      const list = (answer ?? []) as WithBuild[]
      // The oldest first, as it happened.
      return list.toReversed().filter((one) => one.build && tell(reader, target, one)).length > 0
    }
    const build = answer as Build
    const before = target.known.get(build.id)
    if (isDone(build.status)) reader.targets.delete(pathname)
    if (before !== undefined && before >= build.version) return false
    const repo = (await ask(upstream, person, pathname.replace(/\/builds\/\d+$/, ''))) as Repo
    return tell(reader, target, { ...repo, build })
  }

  async function run(reader: Reader, target: Target): Promise<void> {
    asking.add(target)
    const asked = target.due
    try {
      const changed = await look(reader, target)
      target.pause = changed ? first : Math.min(target.pause * 1.5, Math.max(longest, readers.size * 1000))
    } catch (error) {
      const status = error instanceof Unanswered ? error.status : 0
      // Not theirs any more. The page hears of it by its own calls.
      if (status === 401 || status === 403 || status === 404) reader.targets.delete(target.pathname)
      target.pause = longest
    } finally {
      asking.delete(target)
      // Unless somebody did something meanwhile.
      if (target.due === asked) target.due = Date.now() + target.pause
    }
  }

  const readerOf = (person: Person): Reader => {
    const reader = readers.get(person.key) ?? { person, seen: 0, sends: new Set(), targets: new Map() }
    // Anew at the end: the first ones are those that were not heard of for the longest time.
    readers.delete(person.key)
    readers.set(person.key, reader)
    reader.seen = Date.now()
    return reader
  }

  /** A page reads its build a moment before it opens its stream; who opens none is forgotten. */
  const forget = (now: number): void => {
    for (const [key, { sends, seen }] of readers) if (sends.size === 0 && now - seen > lookMs) readers.delete(key)
  }

  const timer = setInterval(() => {
    const now = Date.now()
    forget(now)
    const watching = [...readers.values()].filter(({ sends }) => sends.size > 0)
    const due = watching.flatMap((reader) =>
      [...reader.targets.values()]
        .filter((target) => target.due <= now && !asking.has(target))
        .map((target) => ({ reader, target })),
    )
    due.sort((a, b) => a.target.due - b.target.due)
    for (const { reader, target } of due.slice(0, Math.max(0, atOnce - asking.size))) void run(reader, target)
  }, tick)
  timer.unref()

  const watchFor = (reader: Reader, pathname: string): void => {
    const { person, targets } = reader
    const known = targets.get(pathname)
    targets.delete(pathname)
    // The one that was looked at the longest time ago goes first.
    targets.set(pathname, known ?? { person, pathname, known: new Map(), due: Date.now(), pause: first })
    const oldest = [...targets.keys()].find((one) => one !== recent)
    if (targets.size > mostBuilds + 1 && oldest !== undefined) targets.delete(oldest)
  }

  return {
    join(person, send) {
      const reader = readerOf(person)
      reader.sends.add(send)
      watchFor(reader, recent)
      return () => void reader.sends.delete(send)
    },
    looked(person, pathname) {
      if (ofBuild.test(pathname)) watchFor(readerOf(person), pathname)
    },
    acted(pathname) {
      const build = /^\/api\/repos\/[^/]+\/[^/]+\/builds(\/\d+)?/.exec(pathname)?.[0]
      if (build === undefined) return
      const now = Date.now()
      for (const { targets } of readers.values()) {
        for (const target of targets.values()) {
          if (target.pathname === recent || target.pathname === build) Object.assign(target, { due: now, pause: first })
        }
      }
    },
    stop: () => clearInterval(timer),
  }
}
