/**
 * Searches the logs of a repository's last builds. Flightdeck only. The response is a stream of
 * JSON values, one per line (`SearchMessage`), which starts before anything is found.
 */
import { compile, type Build, type FoundBuild, type Query, type SearchMessage } from '@flightdeck/api'
import type { LogSearch, Searcher } from '../../interfaces/logs.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findBuildByNumber, listBuilds } from '../../store/builds.ts'
import type { Db } from '../../store/open.ts'
import { listSearchedSteps } from '../../store/searched-steps.ts'
import { yieldForBulk } from '../../lib/event-loop.ts'
import { addressOf, repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'
import { encode } from '../responses.ts'
import { buildNumber } from '../number-params.ts'
import { mayRead } from '../repo-readers.ts'
import { endWhenRefused } from '../stream-rights.ts'
import { errorMessage } from '../../lib/error-message.ts'

/** "The last 50 builds of the repository." */
const maxBuilds = 50
const hitsOfStep = 20
const hitsOfAll = 1_000
/** Characters. */
const maxTextLength = 500

const isOn = (value: string | undefined): boolean => value === 'true'

function queryOf(c: Call): Query {
  const text = c.req.query('text') ?? ''
  if (text === '' || text.length > maxTextLength)
    throw new Refusal(400, `The search text must have 1 to ${maxTextLength} characters`)
  const query = {
    text,
    matchCase: isOn(c.req.query('case')),
    word: isOn(c.req.query('word')),
    pattern: isOn(c.req.query('pattern')),
  }
  try {
    compile(query)
  } catch (error) {
    throw new Refusal(400, errorMessage(error))
  }
  return query
}

const aboutOf = ({ number, target, event, created, author_login: author }: Build): FoundBuild => ({
  number,
  branch: target,
  event,
  created,
  author,
})

/** The newest build first, and of each what was found in its steps, in their order. */
async function* searchBuilds(db: Db, search: LogSearch, builds: readonly Build[]): AsyncGenerator<SearchMessage> {
  let left = hitsOfAll
  yield { type: 'begin', builds: builds.length }
  for (const build of builds) {
    let unread = 0
    for (const { stage, step, ids } of await listSearchedSteps(db, build.id)) {
      let hits = 0
      for await (const result of search.step(ids, Math.min(hitsOfStep, left))) {
        if (result === 'unread') unread += 1
        else if ('stopped' in result) {
          yield { type: 'end', stopped: result.stopped }
          return
        } else if (result.count > 0) {
          hits = result.hits.length
          yield { type: 'found', build: aboutOf(build), stage, step, ...result }
        }
      }
      left -= hits
    }
    yield { type: 'searched', build: build.number, unread }
  }
  yield { type: 'end' }
}

/** `gone` aborts when the client disconnects. The number of hits limits what is buffered. */
function stream(messages: AsyncIterable<SearchMessage>, disconnect: AbortController): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      try {
        for await (const message of messages) {
          if (disconnect.signal.aborted) break
          const bytes = encoder.encode(`${encode(message)}\n`)
          await yieldForBulk(bytes.length)
          controller.enqueue(bytes)
        }
        controller.close()
      } catch (error) {
        if (!disconnect.signal.aborted) controller.error(error)
      } finally {
        disconnect.abort()
      }
    },
    cancel: () => disconnect.abort(),
  })
  return new Response(body, {
    headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  })
}

export function logSearchRoutes({ store: { db, rights }, ci, trustProxy, now, log }: Required<HttpDependencies>) {
  const failed = (error: unknown) => log('a log search failed', error)
  /** A guest is known by the address only. */
  const whoIs = (c: Call): Searcher => {
    const user = c.get('user')
    return { name: user ? `user ${user.id}` : `guest ${addressOf(c, { trustProxy })}`, isGuest: user === null }
  }
  async function* run(search: LogSearch | null, builds: readonly Build[]): AsyncGenerator<SearchMessage> {
    try {
      if (search) yield* searchBuilds(db, search, builds)
    } finally {
      search?.close()
    }
  }
  return {
    'GET /api/repos/:owner/:name/search': async (c) => {
      const query = queryOf(c)
      const { id } = repoOf(c)
      const only = c.req.query('build')
      const builds =
        only === undefined
          ? await listBuilds(db, id, { page: 1, perPage: maxBuilds })
          : [found(await findBuildByNumber(db, id, buildNumber(only)))]
      const disconnect = new AbortController()
      const end = () => disconnect.abort()
      endWhenRefused(rights, {
        may: mayRead(db, rights, now, c),
        judged: c.get('judged'),
        closeSignal: disconnect.signal,
        end,
        failed,
      })
      // A search in the queue sends nothing yet; too many of one person are refused.
      const search = await ci.logs
        .search(whoIs(c), query, AbortSignal.any([disconnect.signal, c.req.raw.signal]))
        .catch((error: unknown) => {
          disconnect.abort()
          throw error
        })
      return stream(run(search, builds), disconnect)
    },
  } satisfies Record<string, Handler>
}
