/**
 * Keeps open pages current where Drone sends no events: when a build is created or canceled, when
 * others approve, and for slow readers. Polling is shared: the recent builds of one person cover
 * all repositories in them, and a build that several people view is polled with the credentials of
 * one of them. Results are not shared: for each person who may see the change, Drone is asked with
 * that person's credentials.
 */
import type { Build } from '@flightdeck/api'
import type { Person } from './viewer-request.ts'
import { elementsOf } from './json-elements.ts'
import { createPollRequests, parse } from './poll-requests.ts'
import { createScreens } from './open-screens.ts'
import { chooseNext, lateListed, type Choice, type PollItem } from './poll-schedule.ts'
import type { Upstream } from './upstream.ts'
import {
  dashboard,
  isList,
  isUnseen,
  recent,
  remember,
  slugOf,
  type List,
  type Reader,
  type Target,
  type WithBuild,
} from './poll-targets.ts'
import { monotonicMs } from '../lib/monotonic-time.ts'

export interface Watch {
  /**
   * Registers a viewer's open stream; `send` adds an event to it. Returns a function that removes
   * it.
   */
  join(person: Person, send: (json: string) => void): () => void
  /** The person has read this address. */
  looked(person: Person, pathname: string): void
  /** The server itself has sent an event to this person. */
  noteEvent(person: Person, json: string): void
  /**
   * Reads an answer to this person as it passes, chunk by chunk; `null` if it contains nothing that
   * is polled.
   */
  reads(person: Person, pathname: string): Passing | null
  /**
   * A call that may have changed a build has succeeded. `slugs`: the repositories that its body
   * names, where its address names none.
   */
  acted(pathname: string, person: Person | null, slugs?: readonly string[]): void
  stop(): void
}

export interface Passing {
  add(chunk: Buffer): void
  end(): void
}

export interface WatchTimes {
  /**
   * Milliseconds between two requests for the same target; `longest` is for targets that have not
   * been viewed for a while.
   */
  first: number
  longest: number
  /** In which one question may be asked for each hundred people, while nothing happens. */
  period: number
  tick: number
}

export interface WatchOptions {
  times?: WatchTimes
  /** The server no longer accepts these credentials. */
  onRefused?: (person: Person) => void
}

const defaults: WatchTimes = { first: 5_000, longest: 30_000, period: 1_000, tick: 100 }
/** Questions under way, so that a slow server is not made slower. */
const maxConcurrent = 8
const forgetAfterMs = 60_000
/** Repositories kept per viewer; beyond that, each list is requested separately. */
const maxRepos = 1_000
/**
 * A fraction of the idle rate: a list is polled no more often, however many events its repository
 * has.
 */
const burst = 0.05
const bytesPerPause = 1024 * 1024

export function createWatch(upstream: Upstream, { times = defaults, onRefused = () => {} }: WatchOptions = {}): Watch {
  const readers = new Map<string, Reader>()
  const screens = createScreens()
  const { targets, lists } = screens
  /** When new builds of a repository would last have been seen, by slug. */
  const covered = new Map<string, number>()
  const questions = createPollRequests({ upstream, readers, screens, covered, onRefused })
  let asking = 0
  let allowance = 1
  let before = monotonicMs()

  const listening = () => [...readers.values()].filter(({ sends }) => sends.size > 0)

  function start(question: Promise<void>): void {
    asking += 1
    void question.finally(() => {
      asking -= 1
      askUrgent(monotonicMs())
    })
  }

  function lookerOf({ lookers }: Target | List, among: ReadonlySet<string> | null): Reader | undefined {
    for (const key of lookers.keys()) {
      const reader = readers.get(key)
      if (reader && reader.sends.size > 0 && (among === null || among.has(key))) return reader
    }
    return undefined
  }

  /** All people that may lack something of it, each with their own credentials. */
  function askBehind(one: Target | List, question: (reader: Reader) => Promise<void>): void {
    while (asking < maxConcurrent && one.staleFor.size > 0) {
      const reader = lookerOf(one, one.staleFor)
      // None of them is subscribed any more.
      if (!reader) return one.staleFor.clear()
      start(question(reader))
    }
  }

  /** What follows from something that has happened: it waits for nothing but its turn. */
  function askUrgent(now: number): void {
    for (const target of targets.values()) {
      askBehind(target, (reader) => questions.askBuild(target, reader))
    }
    for (const list of lists.values()) {
      if (now - list.requestedAt >= times.first * burst) askBehind(list, (reader) => questions.askList(list, reader))
    }
    for (const reader of readers.values()) {
      if (asking >= maxConcurrent) return
      if (reader.sends.size === 0 || reader.state === 'refused') continue
      if (reader.due && !reader.asking) start(questions.askRecent(reader))
      const { dashboard: board } = reader
      // A large one is polled less often.
      const isDue = board?.isBehind && now - board.requestedAt >= times.first * Math.floor(board.bytes / bytesPerPause)
      if (board && isDue) start(questions.askDashboard(reader, board))
    }
  }

  /** Polls that run without a known change. */
  function askInTurn(now: number): void {
    const people = listening()
    const rate = Math.max(1, Math.ceil(people.length / 100)) / times.period
    allowance = Math.min(Math.max(1, rate * times.period), allowance + (now - before) * rate)
    for (;;) {
      if (allowance < 1 || asking >= maxConcurrent) return
      const choice: Choice = {
        now,
        people,
        targets: [...targets.values()].filter((target) => lookerOf(target, null)),
        lists: [...lists.values()].filter((list) => lookerOf(list, null)),
        covered,
        times,
      }
      const next = chooseNext(choice)
      if (!next) return
      allowance -= 1
      askNext(next, choice)
    }
  }

  function askNext(next: PollItem, choice: Choice): void {
    if ('reader' in next) return start(questions.askRecent(next.reader))
    if ('list' in next) {
      const reader = lookerOf(next.list, null)
      return reader && start(questions.askList(next.list, reader))
    }
    const { target } = next
    const reader = lookerOf(target, null)
    if (!reader) return
    const { key } = reader.person
    const together = lateListed(target.slug, choice).filter(({ lookers }) => lookers.has(key))
    if (together.length > 1 && together.includes(target)) start(questions.askListed(together, reader))
    else start(questions.askBuild(target, reader))
  }

  /**
   * A page reads its build shortly before it opens its stream; viewers without a stream are
   * removed.
   */
  function discard(now: number): void {
    for (const [key, { sends, lastSeen }] of readers) {
      if (sends.size > 0 || now - lastSeen <= forgetAfterMs) continue
      readers.delete(key)
      screens.forget(key)
    }
    for (const [slug, at] of covered) if (now - at > 10 * times.longest) covered.delete(slug)
  }

  let forgotten = monotonicMs()
  function poll(): void {
    const now = monotonicMs()
    if (now - forgotten > times.first) {
      forgotten = now
      discard(now)
    }
    askUrgent(now)
    askInTurn(now)
    before = now
  }
  function seeBuild(reader: Reader, slug: string, text: string): void {
    const build = parse(text) as Partial<Build> | null
    if (typeof build?.id === 'number') screens.see(reader, slug, build as Build, true)
  }
  const timer = setInterval(poll, times.tick)
  timer.unref()

  const readerOf = (person: Person): Reader => {
    const reader: Reader = readers.get(person.key) ?? {
      person,
      from: monotonicMs(),
      repos: new Set(),
      recentIds: new Set(),
      newestId: 0,
      dashboard: null,
      lastSeen: 0,
      sends: new Set(),
      slugs: new Set(),
      sent: new Map(),
      lastTurn: 0,
      asking: false,
      due: false,
      state: 'new',
    }
    readers.set(person.key, reader)
    reader.lastSeen = monotonicMs()
    return reader
  }

  /**
   * The smallest set of people who see all repositories: a change that they get is news to the
   * others, who are then polled.
   */
  function askWidely(): void {
    const slugs = new Set<string>()
    for (const reader of listening().toSorted((a, b) => b.slugs.size - a.slugs.size)) {
      const isWider = slugs.size === 0 || [...reader.slugs].some((slug) => !slugs.has(slug))
      if (!isWider) continue
      reader.due = true
      for (const slug of reader.slugs) slugs.add(slug)
    }
    for (const { lookers, staleFor } of lists.values()) {
      const [key] = lookers.keys()
      if (key !== undefined) staleFor.add(key)
    }
  }

  /** Whether anybody is known to see it. */
  function askAbout(slug: string): boolean {
    const people = listening().filter((reader) => reader.slugs.has(slug) || reader.repos.has(slug))
    for (const reader of people) reader.due = true
    questions.alarmList(slug)
    return people.length > 0 || lists.has(slug)
  }

  return {
    join(person, send) {
      const reader = readerOf(person)
      reader.sends.add(send)
      reader.state = 'new'
      reader.due = true
      for (const { lookers, staleFor } of targets.values()) if (lookers.has(person.key)) staleFor.add(person.key)
      return () => void reader.sends.delete(send)
    },
    looked(person, pathname) {
      if (slugOf(pathname) === null && pathname !== dashboard) return
      screens.noteRead(readerOf(person), pathname)
    },
    reads(person, pathname) {
      const slug = slugOf(pathname)
      if (pathname !== dashboard && pathname !== recent && (slug === null || !isList(pathname))) return null
      const reader = readerOf(person)
      const repos = new Set<string>()
      const ids = new Set<number>()
      const add = elementsOf((text) => {
        if (slug !== null) return seeBuild(reader, slug, text)
        if (pathname === dashboard && repos.size <= maxRepos) repos.add(slugIn(text) ?? '')
        if (pathname === recent) ids.add(idIn(text) ?? 0)
        questions.takeRepo(reader, text, false)
      })
      return {
        add,
        end() {
          if (pathname === dashboard) reader.repos = repos.size > maxRepos ? new Set() : repos
          if (pathname === recent && reader.newestId === 0) reader.newestId = Math.max(0, ...ids)
        },
      }
    },
    noteEvent(person, json) {
      const reader = readers.get(person.key)
      const update = buildIn(json)
      if (!reader || !update) return
      if (isUnseen(reader, update.build)) remember(reader, update.build)
      if (update.slug) screens.see(reader, update.slug, update.build, false)
      // The server sends events to all people with a permission row.
      if (questions.newest.take(update.build) && update.slug) questions.alarmList(update.slug, person.key)
    },
    acted(pathname, person, slugs = []) {
      const slug = slugOf(pathname)
      const named = slug === null ? slugs : [slug]
      for (const reader of listening()) if (reader.person.key === person?.key) reader.due = true
      const isKnown = named.map(askAbout).some(Boolean)
      const number = Number(/\/builds\/(\d{1,15})(?=\/|$)/.exec(pathname)?.[1] ?? NaN)
      for (const target of targets.values()) {
        if (target.slug !== slug) continue
        if (Number.isNaN(number)) for (const key of target.pages) target.staleFor.add(key)
        else if (target.number === number) questions.alarmTarget(target, null)
      }
      // A forge's call that names no repository that anybody is known to see.
      if (slug === null && !isKnown) askWidely()
      poll()
    },
    stop: () => clearInterval(timer),
  }
}

function buildIn(json: string): { slug?: string; build: Build } | null {
  const update = parse(json) as Partial<WithBuild> | null
  return typeof update?.build?.id === 'number' ? (update as WithBuild) : null
}

/** Drone names it early in each repository. */
const slugIn = (text: string): string | undefined => /"slug":"([^"\\]+)"/.exec(text)?.[1]
const idIn = (text: string): number | undefined => {
  const id = /"build":\{"id":(\d{1,15})/.exec(text)?.[1]
  return id === undefined ? undefined : Number(id)
}
