/**
 * Links to the wall, and what they show. Extra routes, which Drone does not have
 * (docs/guide/wall.md).
 */
import { firstLine, needsApproval, type Build, type Repo, type WallTile } from '@flightdeck/api'
import { untilAborted } from '../../lib/abort.ts'
import { Refusal } from '../../lib/refusal.ts'
import { cutText } from '../../lib/truncate-text.ts'
import { frameOf } from '../../lib/stream-connection.ts'
import { createNamedWallLink, linkOfToken } from '../../people/wall-links.ts'
import { findUsualTimes } from '../../store/usual-times.ts'
import { deleteWallLink, listWallLinks, listWallRepos, touchWallLink } from '../../store/wall-links.ts'
import { isPassing } from '../../store/writes.ts'
import { decodeBody } from '../bodies.ts'
import { param, userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { eventStream } from '../event-stream.ts'
import { json, jsonList, noContent } from '../responses.ts'
import { endWhenRefused } from '../stream-rights.ts'
import { checkMaySignIn } from '../session-cookie.ts'
import { setWallCookie, wallLinkOf } from '../wall-cookie.ts'

const over = () => new Refusal(410, 'This link no longer works: it was revoked or it expired. Ask for a new one')

/** How often the last use is written down. */
const touchAfterSeconds = 60
/** Changes within it are one message: the screen then reads once. */
const gatherMs = 300
const maxWhyChars = 300

const shortLine = (text: string): string => cutText(firstLine(text), maxWhyChars)

const failureReasonOf = ({ cause, ended, error = '' }: Build): string => {
  if (ended) return ended.text
  if (error) return shortLine(error)
  return cause ? shortLine(`${cause.step_name}: ${cause.text}`) : ''
}

/** Only these facts about a build are sent to a wall screen. */
const tileOf = ({ slug, namespace, name }: Repo, build: Build | undefined, usual: number | undefined): WallTile => ({
  slug,
  namespace,
  name,
  ...(build && {
    build: {
      number: build.number,
      status: needsApproval(build) ? 'blocked' : build.status,
      title: shortLine(build.title || build.message),
      branch: build.target,
      author: build.actor || build.author_login || build.sender,
      created: build.created,
      started: build.started,
      finished: build.finished,
      why: failureReasonOf(build),
      ...(usual !== undefined && { usual }),
    },
  }),
})

const changed = frameOf('event: change\ndata: change\n\n')

export function wallRoutes(dependencies: Required<HttpDependencies>) {
  const { ci, now, log, pingMs } = dependencies
  const { db, rights } = dependencies.store

  async function tilesOf(repoIds: readonly number[]): Promise<WallTile[]> {
    const repos = await listWallRepos(db, repoIds)
    const builds = await ci.withReasons(repos.flatMap(({ build }) => (build ? [build] : [])))
    const byRepo = new Map(builds.map((build) => [build.repo_id, build]))
    const tiles: WallTile[] = []
    for (const repo of repos) {
      const build = byRepo.get(repo.id)
      const times = build?.status === 'running' ? await findUsualTimes(db, build) : undefined
      tiles.push(tileOf(repo, build, times?.build?.median))
    }
    return tiles
  }

  const failed = (error: unknown) => log('the stream of a wall failed', error)

  /**
   * Says that something has changed, not what: the screen reads again, and gets what the link may
   * show then.
   */
  function follow(c: Call, first: readonly number[]): Response {
    return eventStream(
      c.env,
      pingMs,
      async (sink, closeSignal) => {
        let shown = new Set(first)
        let timer: NodeJS.Timeout | undefined
        const notify = () => {
          timer ??= setTimeout(() => {
            timer = undefined
            sink.write(changed)
          }, gatherMs)
        }
        const may = async () => {
          const link = await wallLinkOf(dependencies, c)
          shown = new Set(link?.repoIds)
          notify()
          return link !== null
        }
        const leave = ci.events.subscribe(({ repoId }) => {
          if (shown.has(repoId)) notify()
        })
        endWhenRefused(rights, { may, judged: c.get('judged'), closeSignal, end: sink.end, failed })
        await untilAborted(closeSignal)
        leave()
        clearTimeout(timer)
      },
      failed,
    )
  }

  return {
    'GET /api/user/wall-links': async (c) => jsonList(await listWallLinks(db, userOf(c))),
    'POST /api/user/wall-links': async (c) => {
      const body = await decodeBody(c, 'link', { name: 'string', expires: 'int64', repos: '[]string' })
      const { name = '', expires = 0, repos = [] } = body
      return json(await createNamedWallLink(db, userOf(c), { name, expires, repos }, now()))
    },
    'DELETE /api/user/wall-links/:id': async (c) => {
      const text = param(c, 'id')
      const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
      if (!(await deleteWallLink(db, userOf(c).id, id))) throw new Refusal(404, 'Link not found')
      return noContent()
    },
    'POST /api/wall/session': async (c) => {
      // Whatever token the call has: a page of another origin could otherwise show a wall of its
      // choice here.
      checkMaySignIn(c, dependencies)
      const { token = '' } = await decodeBody(c, 'wall', { token: 'string' })
      const link = await linkOfToken(db, token, now())
      if (!link) throw over()
      setWallCookie(dependencies, c, link)
      return c.body(null, 204)
    },
    'GET /api/wall': async (c) => {
      const link = await wallLinkOf(dependencies, c)
      if (!link) throw over()
      if (now() - link.last_used > touchAfterSeconds)
        // A full disk must not end a screen that only reads.
        await touchWallLink(db, link.id, now()).catch((error: unknown) => {
          if (!isPassing(error)) throw error
        })
      const tiles = await tilesOf(link.repoIds)
      // The link may have ended while the builds were read.
      if (c.get('judged') !== rights.version() && !(await wallLinkOf(dependencies, c))) throw over()
      return json({ name: link.name, tiles })
    },
    'GET /api/wall/stream': async (c) => {
      const link = await wallLinkOf(dependencies, c)
      if (!link) throw over()
      return follow(c, link.repoIds)
    },
  } satisfies Record<string, Handler>
}
