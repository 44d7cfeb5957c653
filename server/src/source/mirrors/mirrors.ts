import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mirrors } from '../../interfaces/mirrors.ts'
import type { Db } from '../../store/open.ts'
import type { Git } from '../git/git.ts'
import { compareRefs } from '../refs/ref-changes.ts'
import { mirrorScope, readRefs } from '../refs/read-refs.ts'
import { listMirrorRefs } from '../refs/record-refs.ts'
import { fetchMirror, maintainMirror, writeAskpass } from './fetch.ts'

/** The maximum number of concurrent fetches: more would be slower, and a burden for the forge. */
const maxFetches = 4

export interface MirrorsOptions {
  db: Db
  git: Pick<Git, 'resolve'>
  dataDir: string
  /** Returns Unix seconds. */
  now: () => number
}

const isBuilt = (ref: string): boolean => /^refs\/(heads|tags)\//.test(ref)

export function createMirrors({ db, git, dataDir, now }: MirrorsOptions): Mirrors {
  const folder = join(dataDir, 'mirrors')
  const files = { configFile: join(dataDir, 'git', 'config'), askpassFile: join(dataDir, 'git', 'forge', 'askpass') }
  const path = (repoId: number): string => join(folder, `${repoId}.git`)
  let ready: Promise<void> | undefined
  /** The running fetch of each repository, and the next one. */
  const running = new Map<number, Promise<void>>()
  const next = new Map<number, Promise<void>>()
  let free = maxFetches
  const waiting: (() => void)[] = []

  async function runYielding(work: () => Promise<void>): Promise<void> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      await work()
    } finally {
      const first = waiting.shift()
      if (first) first()
      else free += 1
    }
  }

  /** Maintenance runs one repository at a time, because it uses a whole processor. */
  let maintenance: Promise<void> = Promise.resolve()
  function maintain(repoId: number, signal: AbortSignal | undefined): void {
    maintenance = maintenance
      .then(() => (signal?.aborted ? undefined : maintainMirror(path(repoId), { ...files, signal })))
      // The mirror is unchanged; maintenance runs again after the next fetch.
      .catch(() => undefined)
  }

  const fetch: Mirrors['fetch'] = (repoId, request) => {
    const start = (): Promise<void> => {
      const work = runYielding(async () => {
        await ready
        // Also writes the file if it was deleted while the server runs.
        if (ready === undefined || !existsSync(files.askpassFile)) ready = writeAskpass(files.askpassFile)
        await ready
        await fetchMirror(path(repoId), files, request)
        maintain(repoId, request.signal)
      }).finally(() => {
        if (running.get(repoId) === work) running.delete(repoId)
      })
      running.set(repoId, work)
      return work
    }
    const current = running.get(repoId)
    if (!current) return start()
    // A running fetch misses later pushes, so all callers that arrive during it share one more
    // fetch.
    const cached = next.get(repoId)
    if (cached) return cached
    const after = current
      .catch(() => {})
      .then(() => {
        next.delete(repoId)
        return start()
      })
    next.set(repoId, after)
    return after
  }

  return {
    path,
    fetch,
    size: (repoId) => sizeOf(path(repoId)),
    async changes(repoId) {
      const refs = await readRefs(path(repoId), mirrorScope)
      const recorded = await listMirrorRefs(db, { repoId, refs, now: now() })
      // The refs were never recorded, so the current ones start no builds.
      if (!recorded) return { present: [], pulls: [], removed: [] }
      const { present, removed } = await compareRefs(recorded, refs)
      return {
        present: present.filter(({ ref }) => isBuilt(ref)),
        pulls: present.filter(({ ref }) => !isBuilt(ref)),
        removed: removed.filter(isBuilt),
      }
    },
    refs: (repoId) => readRefs(path(repoId), mirrorScope),
    head: (repoId, ref) => git.resolve(path(repoId), ref).catch(() => null),
    async list() {
      const names = await readdir(folder).catch(() => [])
      return names.flatMap((name) => {
        const id = /^([1-9]\d{0,14})\.git$/.exec(name)?.[1]
        return id === undefined || running.has(Number(id)) ? [] : [Number(id)]
      })
    },
    remove: (repoId) => rm(path(repoId), { recursive: true, force: true }),
  }
}

/** The size of all files in the folder. A bare repository has a few hundred files. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await sizeOf(path)
    else if (entry.isFile()) bytes += (await stat(path).catch(() => ({ size: 0 }))).size
  }
  return bytes
}
