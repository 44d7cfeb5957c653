/**
 * `GET /api/user/repos?latest=true`, the largest response, which every dashboard loads first. It is
 * cached compressed, in chapters of some repositories each: a change costs one chapter, and a
 * client with the current state costs two look-ups. Our page reads the same list as its top and,
 * later, as columns in parts of some chapters each.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Repo, TopOfRepos } from '@flightdeck/api'
import { packRepos } from '@flightdeck/api/repo-columns'
import { takeChanges } from '../store/changes.ts'
import type { Db } from '../store/open.ts'
import { listRepoRanks, listReposWithLatest, listUserRepoIds, type RepoRank } from '../store/repo-lists.ts'
import { Refusal } from '../lib/refusal.ts'
import { nextTurn } from '../lib/event-loop.ts'
import { encode } from './responses.ts'
import { joinParts, packPart, type Part } from './gzip-parts.ts'
import { topOf } from './repo-top.ts'

/** Enough to compress well, and few enough to be made again in some milliseconds. */
const chapterSize = 128
/** For all users together; the list that was used least recently is evicted first. */
const maxBytes = 64 * 1024 * 1024
/** In the list of ids and the index; plus its rank once the top has been requested. */
const bytesPerRepo = 200
const bytesPerRank = 100
const bytesPerList = 1_000
/** Lists of up to this many repositories are sent whole to our page as well. */
const fewRepos = 256
/**
 * Chapters in a part of the columns: some 2,000 repositories, so that thousands are few calls and a
 * change is one part.
 */
const partChapters = 16
/** Attempts to make a list while the user's rights keep changing. */
const maxAttempts = 5

/** What is made of the repositories of a chapter. */
interface Forms {
  plain: Part
  columns: Part
  ranks: readonly RepoRank[]
}
type Form = keyof Forms

interface Chapter {
  ids: readonly number[]
  /** Incremented with each notified change. */
  revision: number
  /** `read` is that count when it was made: smaller than `wanted` if it is out of date. */
  forms: { [F in Form]?: { read: number; made: Forms[F] } }
}

export interface Body {
  etag: string
  gzip: Buffer
}

interface List {
  /** Changes with the chapters; differs between users and server starts. */
  name: string
  chapters: readonly Chapter[]
  chapterOf: ReadonlyMap<number, Chapter>
  /** Rights have changed, or were never read. */
  stale: boolean
  body: Body | undefined
  top: Body | undefined
  /**
   * Of the repositories and their order, also in another life of the server: for parts that must
   * fit together.
   */
  key: string
  /** A mutex per list: concurrent callers share the result. */
  work: Promise<unknown>
}

export interface RepoLists {
  /** Of the present state. */
  etag(userId: number): Promise<string>
  /** The answer as one gzip file. */
  body(userId: number): Promise<Body>
  /** Whether the list is so long that a page reads its top first. */
  isLong(userId: number): Promise<boolean>
  topEtag(userId: number): Promise<string>
  top(userId: number): Promise<Body>
  /**
   * Columns, as one gzip file; `undefined` if there is no such part, or the list of that key has
   * changed.
   */
  part(userId: number, key: string, part: number): Promise<Body | undefined>
}

const etagOf = ({ name, chapters }: List, form?: Form): string =>
  `W/"${name}-${chapters.reduce((sum, { revision, forms }) => sum + (form ? (forms[form]?.read ?? 0) : revision), 0)}"`
/** The same counter identifies the whole list and its top. */
const asTop = (etag: string): string => `${etag.slice(0, -1)}-top"`

const hashOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 16)

/** `complete` adds fields that are in no table. */
export function createRepoLists(
  db: Db,
  complete: (repos: Repo[]) => Promise<Repo[]> = async (repos) => repos,
): RepoLists {
  const life = Date.now().toString(36)
  const lists = new Map<number, List>()
  const signs = Promise.all([packPart('['), packPart(',')])
  let born = 0
  let hearing = Promise.resolve()

  /** Informs all lists of the changes since the last call. */
  async function notify(): Promise<void> {
    const { repos, users } = await takeChanges(db)
    for (const user of users) {
      const list = lists.get(user)
      if (list) list.stale = true
    }
    if (repos.length === 0) return
    for (const { chapterOf } of lists.values()) {
      for (const repo of repos) {
        const chapter = chapterOf.get(repo)
        if (chapter) chapter.revision += 1
      }
    }
  }

  /**
   * Serialized: a caller that arrives while changes are being processed waits until they are
   * applied.
   */
  function hear(): Promise<void> {
    hearing = hearing.then(notify, notify)
    return hearing
  }

  function enter(userId: number): List {
    const list: List = lists.get(userId) ?? {
      name: '',
      chapters: [],
      chapterOf: new Map(),
      stale: true,
      body: undefined,
      top: undefined,
      key: '',
      work: Promise.resolve(),
    }
    // Reinserted at the end: the first entry of the map is the least recently used.
    lists.delete(userId)
    lists.set(userId, list)
    return list
  }

  function runYielding<T>(list: List, work: () => Promise<T>): Promise<T> {
    const result = list.work.then(work)
    list.work = result.catch(() => undefined)
    return result
  }

  /** The repositories and their order. A chapter with the same repositories as before is reused. */
  async function divide(list: List, userId: number): Promise<void> {
    list.stale = false
    const ids = await listUserRepoIds(db, userId)
    const byIds = new Map(list.chapters.map((chapter) => [chapter.ids.join(), chapter]))
    const chapters: Chapter[] = []
    for (let at = 0; at < ids.length; at += chapterSize) {
      const some = ids.slice(at, at + chapterSize)
      chapters.push(byIds.get(some.join()) ?? { ids: some, revision: 1, forms: {} })
    }
    born += 1
    list.name = `${life}-${born}`
    list.chapters = chapters
    list.chapterOf = new Map(chapters.flatMap((chapter) => chapter.ids.map((id) => [id, chapter])))
    list.body = undefined
    list.top = undefined
    list.key = hashOf(`${userId}:${ids.join()}`)
    discard()
  }

  async function present(userId: number): Promise<List> {
    await hear()
    const list = enter(userId)
    if (list.stale) await runYielding(list, async () => (list.stale ? divide(list, userId) : undefined))
    return list
  }

  /**
   * Checks access again after the list is made: a long list takes time, in which a right may be
   * revoked.
   */
  async function made<T>(userId: number, make: (list: List) => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const list = await present(userId)
      const { name, result } = await runYielding(list, async () => ({ name: list.name, result: await make(list) }))
      await hear()
      // Another call may have divided it again already.
      if (!list.stale && list.name === name) return result
    }
    throw new Refusal(503, 'The list keeps changing. Try again in a moment', 1)
  }

  const rowsOf = async (ids: readonly number[]): Promise<Repo[]> => complete(await listReposWithLatest(db, ids))
  const makers: { [F in Form]: (ids: readonly number[]) => Promise<Forms[F]> } = {
    plain: async (ids) => packPart(encode(await rowsOf(ids)).slice(1, -1)),
    columns: async (ids) => packPart(encode(packRepos(await rowsOf(ids)))),
    ranks: (ids) => listRepoRanks(db, ids),
  }

  async function make<F extends Form>({ ids, revision, forms }: Chapter, form: F): Promise<Forms[F]> {
    const made = await makers[form](ids)
    const cached: { [K in F]?: { read: number; made: Forms[K] } } = forms
    // A change during the read increments `wanted`, which makes this result stale.
    cached[form] = { read: revision, made }
    return made
  }

  /** Of each chapter its present state. */
  async function readAll<F extends Form>(chapters: readonly Chapter[], form: F): Promise<Forms[F][]> {
    const reading: Promise<Forms[F]>[] = []
    for (const chapter of chapters) {
      const known = chapter.forms[form]
      if (known?.read === chapter.revision) reading.push(Promise.resolve(known.made))
      else {
        reading.push(make(chapter, form))
        // Others have their turn between two chapters.
        await nextTurn()
      }
    }
    return Promise.all(reading)
  }

  async function fileOf(parts: readonly Part[]): Promise<Buffer> {
    const [open, comma] = await signs
    const signed = parts.flatMap((part, index) => [index === 0 ? open : comma, part])
    return joinParts(signed.length > 0 ? signed : [open], ']\n')
  }

  async function write(list: List): Promise<Body> {
    const parts = await readAll(list.chapters, 'plain')
    const etag = etagOf(list, 'plain')
    if (list.body?.etag === etag) return list.body
    list.body = { etag, gzip: await fileOf(parts) }
    discard()
    return list.body
  }

  async function writeTop(list: List): Promise<Body> {
    const ranks = await readAll(list.chapters, 'ranks')
    const etag = asTop(etagOf(list, 'ranks'))
    if (list.top?.etag === etag) return list.top
    const { ids, total, active } = topOf(ranks)
    const repos = await rowsOf(ids)
    const parts = Math.ceil(list.chapters.length / partChapters)
    const top: TopOfRepos = { total, active, repos, list: list.key, parts }
    list.top = { etag, gzip: joinParts([await packPart(encode(top))], '\n') }
    discard()
    return list.top
  }

  async function writePart(list: List, part: number): Promise<Body | undefined> {
    const chapters = list.chapters.slice(part * partChapters, (part + 1) * partChapters)
    if (chapters.length === 0) return undefined
    const gzip = await fileOf(await readAll(chapters, 'columns'))
    discard()
    // Derived from the content, so it survives a restart of the server.
    return { etag: `W/"${hashOf(gzip)}"`, gzip }
  }

  const bytesOf = ({ body, top, chapterOf, chapters }: List): number =>
    chapters.reduce(
      (sum, { forms: { plain, columns, ranks } }) =>
        sum +
        [plain, columns].reduce((all, form) => all + (form?.made.deflated.length ?? 0), 0) +
        bytesPerRank * (ranks?.made.length ?? 0),
      bytesPerList + (body?.gzip.length ?? 0) + (top?.gzip.length ?? 0) + bytesPerRepo * chapterOf.size,
    )

  function discard(): void {
    let bytes = 0
    for (const [user, list] of [...lists].toReversed()) {
      bytes += bytesOf(list)
      if (bytes > maxBytes) lists.delete(user)
    }
  }

  return {
    etag: async (userId) => etagOf(await present(userId)),
    body: (userId) => made(userId, write),
    isLong: async (userId) => (await present(userId)).chapterOf.size > fewRepos,
    topEtag: async (userId) => asTop(etagOf(await present(userId))),
    top: (userId) => made(userId, writeTop),
    async part(userId, key, part) {
      // A request for an unknown part does not update the lists.
      if (key === '' || !Number.isSafeInteger(part) || part < 0) return undefined
      return made(userId, async (list) => (list.key === key ? writePart(list, part) : undefined))
    },
  }
}

const unzip = promisify(gunzip)

/** For a client that takes no gzip. */
export const plainBody = (gzip: Buffer): Promise<Buffer> => unzip(gzip)
