/** Starting, ending and judging builds (docs/api §2.4). */
import type { Again, Build } from '@flightdeck/api'
import { findBuildByNumber } from '../../store/builds.ts'
import { json, jsonBuild, noContent } from '../responses.ts'
import { formValue, queryOf } from '../bodies.ts'
import { param, repoOf, userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found, noRows } from '../errors.ts'
import { Refusal } from '../../lib/refusal.ts'
import { buildNumber } from '../number-params.ts'
import { checkText } from '../text-limits.ts'
import { plainNumber } from './builds.ts'

/** Every other key of the query is a parameter of the build; the first of several values counts. */
function paramsOf(c: Call, ...taken: string[]): Record<string, string> {
  const isParam = (name: string) => name !== '' && name !== 'access_token' && !taken.includes(name)
  const params = [...queryOf(c)].filter(([name]) => isParam(name))
  return Object.fromEntries(params.toReversed())
}

/** `only=failed` or `stage=NAME`. */
async function partOf(c: Call): Promise<Again> {
  const only = await formValue(c, 'only')
  const stage = await formValue(c, 'stage')
  if (only === 'failed' && !stage) return { only }
  if (stage && only === null) return { stage }
  throw new Refusal(400, 'Specify either only=failed or stage=NAME')
}

export function buildActionRoutes({ store: { db }, ci }: HttpDependencies) {
  /** `null`: the trigger was skipped. */
  const begun = async (build: Build | null) => json(build && (await ci.withReasons([build]))[0])
  const numbered = async (c: Call): Promise<Build> =>
    found(await findBuildByNumber(db, repoOf(c).id, buildNumber(param(c, 'number'))))

  const deploy =
    (event: 'promote' | 'rollback'): Handler =>
    async (c) => {
      const { number } = await numbered(c)
      const target = await formValue(c, 'target')
      if (!target) throw new Refusal(400, 'Missing target environment')
      checkText(target, 'Invalid target environment')
      return begun(
        await ci.deploy(
          repoOf(c),
          number,
          { event, target, params: paramsOf(c, 'target') },
          userOf(c),
          c.get('stillMay'),
        ),
      )
    }

  const decline: Handler = async (c) => {
    const number = plainNumber(c, 'number', 'Invalid build number')
    const stage = c.req.param('stage') === undefined ? undefined : plainNumber(c, 'stage', 'Invalid stage number')
    await ci.decline(repoOf(c), number, stage, userOf(c), c.get('stillMay'))
    return noContent()
  }

  return {
    'POST /api/repos/:owner/:name/builds': async (c) => {
      // Without an owner there is no user on whose behalf the file could be read (docs/api §2.4).
      if (repoOf(c).user_id === 0) throw noRows()
      const text = async (name: string) => (await formValue(c, name)) || undefined
      const input = {
        branch: await text('branch'),
        commit: await text('commit'),
        message: await text('message'),
        action: await text('action'),
        params: paramsOf(c, 'commit', 'branch'),
      }
      checkText(input.branch, 'Invalid branch')
      checkText(input.action, 'Invalid action')
      return begun(await ci.start(repoOf(c), input, userOf(c), c.get('stillMay')))
    },
    'POST /api/repos/:owner/:name/builds/:number': async (c) => {
      const debug = (await formValue(c, 'debug')) === 'true'
      const { number } = await numbered(c)
      return begun(
        await ci.restart(repoOf(c), number, { debug, params: paramsOf(c, 'debug') }, userOf(c), c.get('stillMay')),
      )
    },
    // A separate route: in the query of a plain restart every key is a build parameter (docs/api
    // §2.4).
    'POST /api/repos/:owner/:name/builds/:number/again': async (c) => {
      const { number } = await numbered(c)
      return begun(await ci.again(repoOf(c), number, await partOf(c), userOf(c), c.get('stillMay')))
    },
    'DELETE /api/repos/:owner/:name/builds/:number': async (c) => {
      const { number } = await numbered(c)
      const ended = await ci.cancel(repoOf(c), number, userOf(c), c.get('stillMay'))
      const [explained = ended] = await ci.withReasons([ended])
      return jsonBuild(explained)
    },
    'POST /api/repos/:owner/:name/builds/:number/promote': deploy('promote'),
    'POST /api/repos/:owner/:name/builds/:number/rollback': deploy('rollback'),
    'POST /api/repos/:owner/:name/builds/:number/approve/:stage': async (c) => {
      const number = plainNumber(c, 'number', 'Invalid build number')
      await ci.approve(repoOf(c), number, plainNumber(c, 'stage', 'Invalid stage number'), userOf(c), c.get('stillMay'))
      return noContent()
    },
    'POST /api/repos/:owner/:name/builds/:number/decline': decline,
    'POST /api/repos/:owner/:name/builds/:number/decline/:stage': decline,
  } satisfies Record<string, Handler>
}
