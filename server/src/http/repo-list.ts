/**
 * `GET /api/user/repos?latest=true`, the largest answer, with which every dashboard begins (issue 6, "Speed"). It is kept
 * compressed, in chapters of some repositories each: a change costs the chapter that it falls into, and who has the present
 * state already costs two look-ups.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Repo } from '@flightdeck/api'
import { takeChanges } from '../store/changes.ts'
import type { Db } from '../store/open.ts'
import { listReposWithLatest, listUserRepoIds } from '../store/repo-lists.ts'
import { nextTurn } from '../turns.ts'
import { encode } from './answers.ts'
import { joinParts, packPart, type Part } from './gzip-parts.ts'

/** Enough to compress well, and few enough to be made again in some milliseconds. */
const chapterSize = 128
/** Of all people together; who has not looked for longest is forgotten first. */
const mostBytes = 64 * 1024 * 1024
const bytesPerRepo = 100

interface Chapter {
  ids: readonly number[]
  /** Counts the changes that were heard of. */
  wanted: number
  /** That count when `part` was read: smaller than `wanted` if it is out of date. */
  read: number
  part: Part | undefined
}

interface Body {
  etag: string
  gzip: Buffer
}

interface List {
  /** Another one whenever the chapters are others; tells people and lives of the server apart, too. */
  name: string
  chapters: readonly Chapter[]
  chapterOf: ReadonlyMap<number, Chapter>
  /** Who may read what has changed, or nobody has looked yet. */
  stale: boolean
  body: Body | undefined
  /** One works on a list at a time, and the others get what he made. */
  work: Promise<unknown>
}

export interface RepoLists {
  /** Of the present state. */
  etag(userId: number): Promise<string>
  /** The answer as one gzip file. */
  body(userId: number): Promise<Body>
}

const etagOf = ({ name, chapters }: List, count: 'wanted' | 'read'): string =>
  `W/"${name}-${chapters.reduce((sum, chapter) => sum + chapter[count], 0)}"`

/** `complete` adds what stands in no table. */
export function createRepoLists(
  db: Db,
  complete: (repos: Repo[]) => Promise<Repo[]> = async (repos) => repos,
): RepoLists {
  const life = Date.now().toString(36)
  const lists = new Map<number, List>()
  const signs = Promise.all([packPart('['), packPart(',')])
  let born = 0
  let hearing = Promise.resolve()

  /** Tells all lists what has changed since the last time. */
  async function tell(): Promise<void> {
    const { repos, users } = await takeChanges(db)
    for (const user of users) {
      const list = lists.get(user)
      if (list) list.stale = true
    }
    if (repos.length === 0) return
    for (const { chapterOf } of lists.values()) {
      for (const repo of repos) {
        const chapter = chapterOf.get(repo)
        if (chapter) chapter.wanted += 1
      }
    }
  }

  /** One after the other: whoever comes while somebody else takes a change must not go on before it is told. */
  function hear(): Promise<void> {
    hearing = hearing.then(tell, tell)
    return hearing
  }

  function enter(userId: number): List {
    const list: List = lists.get(userId) ?? {
      name: '',
      chapters: [],
      chapterOf: new Map(),
      stale: true,
      body: undefined,
      work: Promise.resolve(),
    }
    // Anew at the end: the first one of the map is the one that nobody has looked at for longest.
    lists.delete(userId)
    lists.set(userId, list)
    return list
  }

  function inTurn<T>(list: List, work: () => Promise<T>): Promise<T> {
    const result = list.work.then(work)
    list.work = result.catch(() => undefined)
    return result
  }

  /** Which repositories, in which order. A chapter that holds the same ones as before is kept. */
  async function divide(list: List, userId: number): Promise<void> {
    list.stale = false
    const ids = await listUserRepoIds(db, userId)
    const known = new Map(list.chapters.map((chapter) => [chapter.ids.join(), chapter]))
    const chapters: Chapter[] = []
    for (let at = 0; at < ids.length; at += chapterSize) {
      const some = ids.slice(at, at + chapterSize)
      chapters.push(known.get(some.join()) ?? { ids: some, wanted: 1, read: 0, part: undefined })
    }
    born += 1
    list.name = `${life}-${born}`
    list.chapters = chapters
    list.chapterOf = new Map(chapters.flatMap((chapter) => chapter.ids.map((id) => [id, chapter])))
    list.body = undefined
  }

  async function present(userId: number): Promise<List> {
    await hear()
    const list = enter(userId)
    if (list.stale) await inTurn(list, async () => (list.stale ? divide(list, userId) : undefined))
    return list
  }

  async function read(chapter: Chapter): Promise<void> {
    // What changes from here on is heard later, and makes this reading an old one.
    const { wanted } = chapter
    const rows = await complete(await listReposWithLatest(db, chapter.ids))
    chapter.part = await packPart(encode(rows).slice(1, -1))
    chapter.read = wanted
  }

  async function write(list: List): Promise<Body> {
    const reading: Promise<void>[] = []
    for (const chapter of list.chapters) {
      if (chapter.read === chapter.wanted) continue
      reading.push(read(chapter))
      // Others have their turn between two chapters.
      await nextTurn()
    }
    await Promise.all(reading)
    const etag = etagOf(list, 'read')
    if (list.body?.etag === etag) return list.body
    const [open, comma] = await signs
    const parts = list.chapters.flatMap(({ part }, index) => (part ? [index === 0 ? open : comma, part] : []))
    list.body = { etag, gzip: joinParts(parts.length > 0 ? parts : [open], ']\n') }
    forget()
    return list.body
  }

  function forget(): void {
    let bytes = 0
    for (const [user, { body, chapterOf }] of [...lists].toReversed()) {
      // The parts, and the file made of them.
      bytes += 2 * (body?.gzip.length ?? 0) + bytesPerRepo * chapterOf.size
      if (bytes > mostBytes) lists.delete(user)
    }
  }

  return {
    etag: async (userId) => etagOf(await present(userId), 'wanted'),
    async body(userId) {
      const list = await present(userId)
      return inTurn(list, () => write(list))
    },
  }
}

const unzip = promisify(gunzip)

/** For a client that takes no gzip. */
export const plainBody = (gzip: Buffer): Promise<Buffer> => unzip(gzip)
