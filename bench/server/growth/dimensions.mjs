// The growing data, and the requests measured on it. Each dimension returns a list of points: {
// size, calls: { name: { ms, bytes } } }.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeLog } from '../../fill/log-text.mjs'
import { ask, openStream } from '../ask.mjs'
import { addBuilds, addRepos, openStand, widen } from './data.mjs'
import { costOf, costOfGet, firstBytes, postAndCancel } from './cost.mjs'

const live = '/api/repos/bench/live/builds'

async function reads(person, { pid }, paths) {
  const calls = {}
  for (const [name, path] of Object.entries(paths)) calls[name] = await costOfGet(person, pid, path)
  return calls
}

/** `parts`: what a call creates. */
const posting = async (person, { pid }, query, parts) => ({
  'start and cancel a build': {
    ms: await costOf(pid, () => postAndCancel(person, query), { warm: 5, most: 60 }),
    bytes: parts,
  },
})

const lists = {
  'list of repositories': '/api/user/repos?latest=true',
  'recent builds': '/api/user/builds/recent',
  'all builds of a person': '/api/user/builds',
  queue: '/api/queue',
  'builds that are not over': '/api/builds/incomplete',
}
const ofBuilds = (count) => ({
  'builds, page 1': `${live}?page=1&per_page=25`,
  'builds, page 100': `${live}?page=${Math.min(100, Math.floor(count / 250))}&per_page=25`,
  'builds, last page': `${live}?page=${Math.floor(count / 250)}&per_page=25`,
  'builds of a branch': `${live}?branch=main&page=1&per_page=25`,
  branches: `${live}/branches`,
  'latest build': `${live}/latest`,
  'one build': `${live}/${count / 10}`,
  'details of a build': `${live}/${count / 10}/details`,
  'usual times': `${live}/${count / 10}/usual`,
  'history of a build': `${live}/${count / 10}/history`,
  'times of a repository': '/api/repos/bench/live/times',
  'statistics of the server': '/api/system/stats',
})

export const builds = {
  name: 'builds',
  what: 'builds, in 1,000 repositories, a tenth of them in the one that is asked',
  sizes: [10_000, 100_000, 1_000_000, 3_000_000, 10_000_000],
  async measure(program, sizes, report) {
    const stand = await openStand(program)
    let made = 0
    try {
      for (const size of sizes) {
        // Posted builds have taken the next numbers.
        stand.fill((db, id) => {
          if (made === 0) addRepos(db, 0, 1000)
          addBuilds(db, id, 1000, made, size)
        }, made / 10)
        made = size
        await stand.run(async (person, server) =>
          report(size, {
            ...(await reads(person, server, { ...lists, ...ofBuilds(size) })),
            ...(await posting(person, server)),
          }),
        )
      }
    } finally {
      rmSync(stand.folder, { recursive: true, force: true })
    }
  },
}

export const repositories = {
  name: 'repositories',
  what: 'repositories of one person, with ten builds each',
  sizes: [100, 1000, 10_000, 100_000],
  async measure(program, sizes, report) {
    for (const size of sizes) {
      const stand = await openStand(program)
      try {
        stand.fill((db, id) => {
          addRepos(db, 0, size)
          addBuilds(db, id, size, 0, size * 10)
        })
        await stand.run(async (person, server) => {
          const paths = { ...lists, 'one repository': '/api/repos/bench/live', 'builds, page 1': `${live}?per_page=25` }
          report(size, { ...(await reads(person, server, paths)), ...(await posting(person, server)) })
        })
      } finally {
        rmSync(stand.folder, { recursive: true, force: true })
      }
    }
  },
}

export const stages = {
  name: 'stages',
  what: 'stages of a build, among 10,000 builds',
  sizes: [1, 10, 100, 1000],
  async measure(program, sizes, report) {
    const stand = await openStand(program, { widths: sizes.filter((size) => size > 1) })
    try {
      stand.fill((db, id) => {
        addRepos(db, 0, 1000)
        addBuilds(db, id, 1000, 0, 10_000)
        for (const [index, size] of sizes.entries()) {
          const found = db.prepare('select build_id as id from builds where build_repo_id = ? and build_number = ?')
          widen(db, found.get(id, 900 + index).id, size)
        }
      })
      await stand.run(async (person, server) => {
        for (const [index, size] of sizes.entries()) {
          const path = `${live}/${900 + index}`
          const branch = size === 1 ? '' : `?branch=wide-${size}`
          report(size, {
            ...(await reads(person, server, {
              'one build': path,
              'details of a build': `${path}/details`,
              'usual times': `${path}/usual`,
              'history of a build': `${path}/history`,
              'builds, page 1': `${live}?per_page=25`,
            })),
            ...(await posting(person, server, branch, size)),
          })
        }
      })
    } finally {
      rmSync(stand.folder, { recursive: true, force: true })
    }
  },
}

export const lines = {
  name: 'lines',
  what: 'lines of a saved log',
  sizes: [10_000, 100_000, 1_000_000, 10_000_000],
  async measure(program, sizes, report) {
    const stand = await openStand(program)
    try {
      const steps = new Map()
      stand.fill((db, id) => {
        addRepos(db, 0, 10)
        addBuilds(db, id, 10, 0, 1000)
        for (const [index, size] of sizes.entries()) {
          const found = db.prepare(
            'select step_id as id from steps join stages on stage_id = step_stage_id join builds on build_id = stage_build_id where build_repo_id = ? and build_number = ?',
          )
          steps.set(size, found.get(id, index + 1).id)
        }
      })
      for (const [size, step] of steps) {
        mkdirSync(join(stand.data, 'logs'), { recursive: true })
        await writeLog(stand.data, step, size)
      }
      await stand.run(async (person, server) => {
        for (const [index, size] of sizes.entries()) {
          const path = `${live}/${index + 1}/logs/1/1`
          const whole = { warm: 1, most: 5 }
          const packed = await ask(person, path)
          const plain = await ask(person, path, { 'accept-encoding': 'identity' })
          const unpacked = () => ask(person, path, { 'accept-encoding': 'identity' })
          report(size, {
            'first bytes': { ms: await costOf(server.pid, () => firstBytes(person, path)) },
            'whole log, packed': { ms: await costOf(server.pid, () => ask(person, path), whole), bytes: packed.bytes },
            'whole log, for a client that cannot unpack': {
              ms: await costOf(server.pid, unpacked, { warm: 0, most: 2 }),
              bytes: plain.bytes,
            },
          })
        }
      })
    } finally {
      rmSync(stand.folder, { recursive: true, force: true })
    }
  },
}

export const readers = {
  name: 'readers',
  what: 'open event streams of one person with 1,000 repositories',
  sizes: [10, 100, 1000, 10_000],
  async measure(program, sizes, report) {
    const stand = await openStand(program)
    try {
      stand.fill((db, id) => {
        addRepos(db, 0, 1000)
        addBuilds(db, id, 1000, 0, 10_000)
      })
      await stand.run(async (person, server) => {
        const open = []
        let bytes = 0
        for (const size of sizes) {
          const more = size - open.length
          const opening = { ms: 0 }
          opening.ms = await costOf(
            server.pid,
            async () => {
              for (let left = more; left > 0; left -= 100) {
                const some = Array.from({ length: Math.min(100, left) }, () =>
                  openStream(person, '/api/stream', (text) => (bytes += text.length)),
                )
                open.push(...(await Promise.all(some)))
              }
            },
            { warm: 0, most: 1 },
          )
          // Events that come faster than they are read are merged, so builds run one after the
          // other.
          const rounds = 10
          const costs = await costOf(
            server.pid,
            async () => {
              await postAndCancel(person)
              await addIdleBuilds(() => bytes)
            },
            { warm: 2, most: rounds },
          )
          report(size, {
            'opening all that are new, each': { ms: opening.ms / more },
            'start and cancel a build, told to all': { ms: costs, bytes: size },
            'builds, page 1': await costOfGet(person, server.pid, `${live}?per_page=25`),
          })
        }
        for (const stream of open) stream.close()
      })
    } finally {
      rmSync(stand.folder, { recursive: true, force: true })
    }
  },
}

/** Waits until nothing has arrived for a while. */
async function addIdleBuilds(count) {
  for (let last = -1; last !== count();) {
    last = count()
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}

export const dimensions = [builds, repositories, lines, readers, stages]
