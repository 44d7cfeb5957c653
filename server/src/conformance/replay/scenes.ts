/**
 * Events between the recorded calls. Each is repeated before the exchange of its number, so that
 * the server has the same state.
 */
import { Readable } from 'node:stream'
import { randomBytes } from 'node:crypto'
import { updateUser, findUserByLogin, createUser, setPassword } from '../../store/users.ts'
import { hashPassword } from '../../people/passwords.ts'
import { brokenFile, twoStages, type World } from './world.ts'

type Scene = (world: World) => Promise<unknown>
export type Scenes = Readonly<Record<number, Scene>>

const gatedStages = `${twoStages}---\nkind: pipeline\ntype: exec\nname: third\nsteps: []\n`
const web = 'acme/web'
const gated = 'acme/gated'
const live = 'acme/live'
const vault = 'acme/vault'

const block =
  (active: boolean): Scene =>
  async ({ bench: { db } }) => {
    const wes = await findUserByLogin(db, 'wes')
    if (wes) await updateUser(db, wes.id, { active })
  }
/** Creates builds until these numbers exist. */
const numbered =
  (slug: string, ...numbers: number[]): Scene =>
  async (world) => {
    for (const number of numbers) await world.built(slug, { number })
  }
const cancel =
  (slug: string, number: number): Scene =>
  async (world) =>
    world.bench.ci.cancel(await world.find(slug), number, world.bench.user)
/** Runs the scenes one after the other. */
const all =
  (...scenes: Scene[]): Scene =>
  async (world) => {
    for (const scene of scenes) await scene(world)
  }
const finish: Scene = (world) => world.finish()
const error =
  (number: number): Scene =>
  (world) =>
    world.push(web, { number, file: brokenFile })

export const scenes: Readonly<Record<string, Scenes>> = {
  badges: {
    0: (world) => world.push(web),
    2: cancel(web, 1),
    4: async (world) => {
      await world.push(web)
      await world.bench.take()
    },
    6: all(cancel(web, 2), (world) => world.built(web)),
    8: (world) => world.push(gated),
    10: async (world) => world.bench.ci.decline(await world.find(gated), 1, 1, world.bench.user),
    12: (world) => world.built(web, { status: 'failure' }),
    14: (world) => world.push(web, { file: brokenFile }),
    16: all(
      (world) => world.built(web, { ref: 'refs/heads/topic' }),
      (world) => world.built(web, { ref: 'refs/tags/v1.2.3' }),
      (world) => world.built(vault),
    ),
  },
  builds: {
    0: async (world) => {
      for (let number = 1; number <= 21; number += 1) {
        if (number >= 5 && number <= 11) await error(number)(world)
        else if (number === 2) await world.built(web, { number, status: 'failure' })
        else await world.built(web, { number })
      }
      // 23: a custom build whose pipelines are all excluded.
      world.source(web).commit({ '.drone.yml': 'kind: pipeline\ntrigger: { event: [push] }\n' }, 'Filter')
    },
    24: async (world) => world.source(web).commit({ '.drone.yml': twoStages }, 'Back'),
    52: all(
      (world) => world.built(web, { number: 32, ref: 'refs/heads/topic' }),
      (world) => world.built(web, { number: 33, ref: 'refs/tags/v1.2.3' }),
    ),
  },
  cancel: {
    0: (world) => world.push(web, { number: 34 }),
    9: (world) => world.bench.take(),
    15: (world) => world.push(web, { number: 37 }),
  },
  cards: { 0: numbered(web, 45) },
  cron: {
    0: numbered(vault, 1),
    33: async (world) => {
      const repo = await world.find(vault)
      await world.bench.ci.runCron(repo, 'often', world.bench.user)
    },
  },
  gate: {
    0: (world) => world.push(gated, { number: 1, file: gatedStages }),
    10: all(cancel(gated, 2), finish),
    17: async (world) => {
      await cancel(gated, 1)(world)
      await world.push(gated, { number: 3, file: gatedStages })
    },
    22: finish,
    25: (world) => world.push(gated, { number: 4, file: gatedStages }),
    27: (world) => world.push(gated, { number: 5, file: gatedStages }),
    // As with a signed file: no approval is needed.
    29: async (world) => {
      await cancel(gated, 6)(world)
      await world.bench.ci.start(await world.find(gated), { params: {} }, world.bench.user)
      await world.bench.take()
    },
    31: (world) => world.push(gated, { number: 9, file: gatedStages }),
  },
  limits: { 0: numbered(live, 6, 7), 5: numbered(live, 8, 9) },
  lists: {
    0: async (world) => {
      for (let number = 1; number <= 30; number += 1) await world.built(web, { number })
      await world.built(web, { ref: 'refs/heads/feature/one' })
      await world.built(web, { ref: 'refs/tags/v1.2.3' })
      await world.built(vault)
    },
    32: async (world) => {
      await world.change(web, { trusted: true })
      await world.built(web, { ref: 'refs/pull/1/head' })
    },
  },
  login: {
    0: async ({ bench: { db } }) => {
      const hash = await hashPassword('<password>')
      for (const login of ['ann', 'wes', 'rae', 'otto', 'boss', 'robot']) {
        const user = await findUserByLogin(db, login)
        if (user) await setPassword(db, user.id, hash)
      }
    },
    27: async ({ bench: { db } }) => {
      const otto = await findUserByLogin(db, 'otto')
      if (otto) await updateUser(db, otto.id, { active: false })
    },
  },
  logs: {
    0: async (world) => {
      await world.built(web, { number: 1 })
      await world.built(web, { number: 2, status: 'failure' })
      await world.push(web, { number: 14 })
      await world.finish('success', '')
      await world.built(web, { number: 45 })
      await world.built(vault)
      await world.push(web, { number: 34 })
    },
    4: async (world) => {
      await cancel(web, 34)(world)
      const { id } = await world.push(web, { number: 35 })
      const stage = await world.bench.take(['clone', 'long', 'after'])
      const [first, second] = stage.steps
      if (!first || !second || stage.build_id !== id) throw new Error('no steps')
      await world.bench.endStep(await world.bench.runStep(first))
      await world.bench.runStep(second)
    },
    7: async (world) => {
      await cancel(web, 35)(world)
      const stage = (await world.bench.build(35)).stages[0]
      const step = stage?.steps?.[1]
      // The runner reports that it has noticed.
      if (step) await world.bench.endStep(step).catch(() => {})
    },
    9: async (world) => {
      await world.push(live, { number: 1 })
      const stage = await world.bench.take(['a', 'b', 'c', 'd'])
      for (const [index, step] of stage.steps.entries())
        stage.steps[index] = await world.bench.endStep(await world.bench.runStep(step))
      await world.bench.endStage(stage)
      await world.push(live, { number: 2 })
      const second = await world.bench.take(['a', 'b'])
      const step = second.steps[1]
      const text = '[{"pos":0,"out":"x\\n","time":0,"extra":true}]'
      if (step) await (await world.bench.ci.logs.receive(step.id, Readable.from([Buffer.from(text)]))).commit()
      await world.bench.endStage(second)
    },
  },
  pulls: {
    0: async (world) => {
      await world.built(web, { number: 40 })
      await world.built(web, { number: 41 })
      await world.built(web, { number: 42 })
    },
  },
  repos: {
    0: async (world) => {
      for (const slug of [web, vault, gated, live, 'acme/empty']) await world.forget(slug)
    },
  },
  roles: { 0: block(false), 6: block(true) },
  'rpc-builds': {
    0: async (world) => {
      await world.push(live, { number: 2 })
      await world.bench.take(['one', 'two', 'three'])
    },
    2: async (world) => {
      await world.push(live, { number: 3, file: twoStages })
      await world.finish('error')
    },
  },
  'roles-table': { 0: all(numbered(web, 1), numbered(vault, 1)) },
  streams: { 3: numbered(live, 1) },
  system: {
    2: (world) => world.push(web, { number: 34 }),
    10: cancel(web, 34),
    12: async (world) => {
      await world.push(web, { number: 35 })
      await world.bench.take(['long'])
    },
    16: cancel(web, 35),
  },
  user: {
    0: async (world) => {
      for (const login of ['ann', 'wes', 'rae', 'otto', 'boss']) {
        world.tokens.set(`session-of-${login}`, randomBytes(8).toString('hex'))
      }
    },
  },
  users: {
    0: async ({ bench: { db } }) => {
      await createUser(db, { login: 'zed', created: 1 })
    },
  },
  vault: { 0: numbered(vault, 5) },
}
