/**
 * Keeps open pages fresh where Drone is silent (issue 14, point 3): it sends no event when a build is created or cancelled,
 * none for what others approve, and drops those of slow readers. Looking out for changes is shared: the recent builds of one
 * person stand for all repositories in them, and a build that several people look at is asked for in the name of one of them.
 * Telling is not: who may see what has changed is asked for at once in his own name, and is told what was answered to him.
 */
import { isDone, type Build, type Repo } from '@flightdeck/api'
import { ask, Unanswered, type Person } from './ask.ts'
import { chooseNext, type Turn } from './turns.ts'
import type { Upstream } from './upstream.ts'
import {
  createNewest,
  isNews,
  ofBuild,
  progressOf,
  recent,
  slugOf,
  type Reader,
  type Target,
  type WithBuild,
} from './watched.ts'

export interface Watch {
  /** A stream of this person is open; `send` puts an event into it. Answers what ends it. */
  join(person: Person, send: (json: string) => void): () => void
  /** The person has read this address. */
  looked(person: Person, pathname: string): void
  /** The server itself has told this person. */
  heard(person: Person, json: string): void
  /** A call that may have changed a build has succeeded. */
  acted(pathname: string, person: Person | null): void
  stop(): void
}

export interface WatchTimes {
  /** Milliseconds between two questions for the same, of which `longest` is for what nobody has looked at for a while. */
  first: number
  longest: number
  /** In which one question may be asked for each hundred people, while nothing happens. */
  period: number
  tick: number
}

export interface WatchOptions {
  times?: WatchTimes
  /** The server knows these credentials no more, and did before. */
  onRefused?: (person: Person) => void
}

const defaults: WatchTimes = { first: 5_000, longest: 30_000, period: 1_000, tick: 100 }
const mostBuilds = 20
/** Questions under way, so that a slow server is not made slower. */
const atOnce = 8
const lookMs = 60_000

export function createWatch(upstream: Upstream, { times = defaults, onRefused = () => {} }: WatchOptions = {}): Watch {
  const readers = new Map<string, Reader>()
  const targets = new Map<string, Target>()
  /** When a repository last stood in somebody's recent builds, by slug. */
  const covered = new Map<string, number>()
  const newest = createNewest()
  let asking = 0
  let allowance = 1
  let before = Date.now()

  const listening = () => [...readers.values()].filter(({ sends }) => sends.size > 0)

  function tell(reader: Reader, told: WithBuild): void {
    if (!isNews(reader, told.build)) return
    const json = JSON.stringify(told)
    for (const send of reader.sends) send(json)
  }

  /** Everybody who is known to see this repository asks for himself. */
  function alarm(slug: string, build: Build, told: Reader): void {
    const { version } = progressOf(build)
    for (const reader of listening()) {
      if (reader === told || !reader.slugs.has(slug)) continue
      if ((reader.told.get(build.id)?.version ?? -1) < version) reader.due = true
    }
    // Its stages and steps, too, for those who look at it.
    for (const target of targets.values()) {
      if (target.slug === slug && target.pathname.endsWith(`/${build.number}`))
        target.behind = new Set(target.lookers.keys())
    }
  }

  function takeRecent(reader: Reader, list: readonly WithBuild[]): void {
    reader.state = 'admitted'
    const now = Date.now()
    reader.slugs = new Set(list.map(({ slug }) => slug))
    for (const slug of reader.slugs) covered.set(slug, now)
    // The oldest first, as it happened.
    for (const one of list.toReversed()) {
      if (!one.build) continue
      if (newest.take(one.build)) alarm(one.slug, one.build, reader)
      tell(reader, one)
    }
  }

  async function askRecent(reader: Reader): Promise<void> {
    reader.due = false
    reader.turn = Date.now()
    reader.asking = true
    try {
      takeRecent(reader, ((await ask(upstream, reader.person, recent)) ?? []) as WithBuild[])
    } catch (error) {
      if (!(error instanceof Unanswered) || (error.status !== 401 && error.status !== 403)) return
      // Not theirs any more. Who never was let in hears of it by his own calls.
      const wasAdmitted = reader.state === 'admitted'
      reader.state = 'refused'
      if (wasAdmitted) onRefused(reader.person)
    } finally {
      reader.asking = false
    }
  }

  async function askBuild(target: Target, reader: Reader): Promise<void> {
    const { pathname, lookers, behind } = target
    const { key } = reader.person
    const looked = lookers.get(key) ?? Date.now()
    // Anew at the end: the next question is somebody else's.
    lookers.delete(key)
    lookers.set(key, looked)
    behind.delete(key)
    target.asking = true
    target.asked = Date.now()
    try {
      const build = (await ask(upstream, reader.person, pathname)) as Build
      const { version, sum } = progressOf(build)
      const isBehind = (one: Reader | undefined) => {
        const told = one?.told.get(build.id)
        return !told || told.version < version || told.sum < sum
      }
      if (isBehind(reader)) {
        const repo = (await ask(upstream, reader.person, pathname.replace(/\/builds\/\d+$/, ''))) as Repo
        // No event of Drone's tells what somebody may do.
        const { permissions: _, ...own } = repo
        tell(reader, { ...own, build })
      }
      newest.take(build)
      if (isDone(build.status)) lookers.delete(key)
      for (const other of lookers.keys()) if (other !== key && isBehind(readers.get(other))) behind.add(other)
    } catch (error) {
      const status = error instanceof Unanswered ? error.status : 0
      if (status === 401 || status === 403 || status === 404) lookers.delete(key)
    } finally {
      target.asking = false
      if (lookers.size === 0) targets.delete(pathname)
    }
  }

  function start(question: Promise<void>): void {
    asking += 1
    void question.finally(() => {
      asking -= 1
    })
  }

  function lookerOf({ lookers }: Target, among: ReadonlySet<string> | null): Reader | undefined {
    for (const key of lookers.keys()) {
      const reader = readers.get(key)
      if (reader && reader.sends.size > 0 && (among === null || among.has(key))) return reader
    }
    return undefined
  }

  /** What follows from something that has happened: it waits for nothing but its turn. */
  function askUrgent(): void {
    for (const target of targets.values()) {
      if (asking >= atOnce) return
      if (target.asking || target.behind.size === 0) continue
      const reader = lookerOf(target, target.behind)
      if (reader) start(askBuild(target, reader))
      else target.behind.clear()
    }
    for (const reader of readers.values()) {
      if (asking >= atOnce) return
      if (reader.due && !reader.asking && reader.sends.size > 0 && reader.state !== 'refused') start(askRecent(reader))
    }
  }

  /** What is asked for although nothing is known to have happened. */
  function askInTurn(now: number): void {
    const people = listening()
    const rate = Math.max(1, Math.ceil(people.length / 100)) / times.period
    allowance = Math.min(Math.max(1, rate * times.period), allowance + (now - before) * rate)
    while (allowance >= 1 && asking < atOnce) {
      const open = [...targets.values()].filter((target) => lookerOf(target, null))
      const next: Turn | null = chooseNext({ now, people, targets: open, covered, times })
      if (!next) return
      allowance -= 1
      if ('reader' in next) start(askRecent(next.reader))
      else {
        const reader = lookerOf(next.target, null)
        if (reader) start(askBuild(next.target, reader))
      }
    }
  }

  /** A page reads its build a moment before it opens its stream; who opens none is forgotten. */
  function forget(now: number): void {
    for (const [key, { sends, seen }] of readers) {
      if (sends.size > 0 || now - seen <= lookMs) continue
      readers.delete(key)
      for (const [pathname, { lookers }] of targets) {
        lookers.delete(key)
        if (lookers.size === 0) targets.delete(pathname)
      }
    }
    for (const [slug, at] of covered) if (now - at > 10 * times.longest) covered.delete(slug)
  }

  let forgotten = Date.now()
  function look(): void {
    const now = Date.now()
    if (now - forgotten > times.first) {
      forgotten = now
      forget(now)
    }
    askUrgent()
    askInTurn(now)
    before = now
  }
  const timer = setInterval(look, times.tick)
  timer.unref()

  const readerOf = (person: Person): Reader => {
    const reader: Reader = readers.get(person.key) ?? {
      person,
      seen: 0,
      sends: new Set(),
      slugs: new Set(),
      told: new Map(),
      turn: 0,
      asking: false,
      due: false,
      state: 'new',
    }
    readers.set(person.key, reader)
    reader.seen = Date.now()
    return reader
  }

  /** The one that was looked at the longest time ago goes first. */
  function limitLooks(key: string): void {
    const mine = [...targets.values()].filter(({ lookers }) => lookers.has(key))
    if (mine.length <= mostBuilds) return
    const [oldest] = mine.toSorted((a, b) => (a.lookers.get(key) ?? 0) - (b.lookers.get(key) ?? 0))
    oldest?.lookers.delete(key)
    if (oldest?.lookers.size === 0) targets.delete(oldest.pathname)
  }

  return {
    join(person, send) {
      const reader = readerOf(person)
      reader.sends.add(send)
      reader.state = 'new'
      reader.due = true
      for (const { lookers, behind } of targets.values()) if (lookers.has(person.key)) behind.add(person.key)
      return () => void reader.sends.delete(send)
    },
    looked(person, pathname) {
      const slug = slugOf(pathname)
      if (slug === null || !ofBuild.test(pathname)) return
      const reader = readerOf(person)
      const target: Target = targets.get(pathname) ?? {
        pathname,
        slug,
        lookers: new Map(),
        behind: new Set(),
        asked: 0,
        asking: false,
      }
      targets.set(pathname, target)
      target.lookers.set(person.key, Date.now())
      target.behind.add(person.key)
      limitLooks(reader.person.key)
    },
    heard(person, json) {
      const reader = readers.get(person.key)
      const told = buildIn(json)
      if (!reader || !told) return
      isNews(reader, told)
      newest.take(told)
    },
    acted(pathname, person) {
      const slug = slugOf(pathname)
      for (const reader of listening()) {
        if (reader.person.key === person?.key || (slug !== null && reader.slugs.has(slug))) reader.due = true
      }
      for (const target of targets.values()) {
        if (target.slug === slug) target.behind = new Set(target.lookers.keys())
      }
      // A forge's call names no repository: those go first who see the most.
      if (slug === null) {
        covered.clear()
        allowance = Math.max(allowance, Math.ceil(readers.size / 100))
      }
      look()
    },
    stop: () => clearInterval(timer),
  }
}

function buildIn(json: string): Build | null {
  try {
    const { build } = JSON.parse(json) as Partial<WithBuild>
    return build && typeof build.id === 'number' ? build : null
  } catch {
    return null
  }
}
