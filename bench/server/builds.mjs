// What a build costs the product itself: duration, processor time and counts for a trivial build;
// and how soon a push becomes a build.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { signIn, startServer } from '../lib/server.mjs'
import { median, percentile } from '../lib/stats.mjs'
import { openStream } from './ask.mjs'
import { countCalls } from './calls.mjs'
import { cpuMs, cpuOfEnded } from './process.mjs'

const arch = { x64: 'amd64', ia32: '386' }[process.arch] ?? process.arch
const pipeline = (clone) =>
  `kind: pipeline\ntype: exec\nname: default\nplatform: { os: linux, arch: ${arch} }\n${clone ? '' : 'clone: { disable: true }\n'}steps:\n- name: greet\n  commands: [echo hello]\n`

const git = (folder, ...words) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .toString()
    .trim()

/** A bare repository `acme/NAME`, and the working tree that pushes to it. */
function makeRepository(folder, name, clone) {
  const work = join(folder, 'work', name)
  const bare = join(folder, 'repos/acme', `${name}.git`)
  mkdirSync(work, { recursive: true })
  git(work, 'init', '-q', '-b', 'main')
  writeFileSync(join(work, '.drone.yml'), pipeline(clone))
  git(work, 'add', '-A')
  git(work, 'commit', '-q', '-m', 'First')
  cpSync(join(work, '.git'), bare, { recursive: true })
  git(bare, 'config', 'core.bare', 'true')
  git(work, 'remote', 'add', 'origin', bare)
  return { work, bare }
}

/**
 * Starts a server with two repositories: `acme/plain` without a clone step, `acme/cloned` with one.
 */
async function prepareWith(program, isolation, environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-builds-'))
  const places = { plain: makeRepository(folder, 'plain', false), cloned: makeRepository(folder, 'cloned', true) }
  const server = await startServer(program, {
    data: join(folder, 'data'),
    repos: join(folder, 'repos'),
    words: isolation ? ['--isolation', isolation] : [],
    environment: { FLIGHTDECK_CAPACITY: '6', ...environment },
  })
  const person = { origin: server.origin, cookie: await signIn(server.origin) }
  const api = async (path, method = 'GET') => {
    const answer = await fetch(`${server.origin}/api/repos/acme/${path}`, {
      method,
      headers: { cookie: person.cookie },
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  for (const name of Object.keys(places)) await api(name, 'POST')
  return { folder, places, server, person, api }
}

async function finish({ folder, server }) {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Reports builds as the page receives them. */
async function listen({ person }) {
  let rest = ''
  const listeners = new Set()
  const stream = await openStream(person, '/api/stream', (text) => {
    const frames = (rest + text).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const data = /^data: (\{.*)$/m.exec(frame)?.[1]
      if (data) for (const listener of listeners) listener(JSON.parse(data))
    }
  })
  return {
    close: () => stream.close(),
    until: (test) =>
      new Promise((resolve) => {
        const readBuilds = (repo) => {
          if (!test(repo)) return
          listeners.delete(readBuilds)
          resolve(performance.now())
        }
        listeners.add(readBuilds)
      }),
  }
}

const isOver = (build) => build.finished > 0

/** The time from the click to the end, for a client that polls every two milliseconds. */
async function callDuration({ api }, name) {
  const began = performance.now()
  const { number } = await api(`${name}/builds`, 'POST')
  for (;;) {
    const build = await api(`${name}/builds/${number}`)
    if (isOver(build)) {
      if (build.status !== 'success')
        throw new Error(`build ${number}: ${build.status} ${JSON.stringify(build.stages)}`)
      return performance.now() - began
    }
    await delay(2)
  }
}

/**
 * Runs builds one after another, waiting for each one's end event; returns the CPU time per build
 * of the server and of its child processes.
 */
async function processorTime(stand, name, count = 20) {
  const { api, server } = stand
  const events = await listen(stand)
  const before = { own: cpuMs(server.pid), ended: cpuOfEnded(server.pid) }
  for (let i = 0; i < count; i++) {
    const numbers = new Set()
    let posted
    const finished = events.until(({ build, name: repo }) => {
      if (repo !== name || !isOver(build)) return false
      numbers.add(build.number)
      return numbers.has(posted)
    })
    posted = (await api(`${name}/builds`, 'POST')).number
    if (!numbers.has(posted)) await finished
  }
  events.close()
  return {
    own: (cpuMs(server.pid) - before.own) / count,
    ended: (cpuOfEnded(server.pid) - before.ended) / count,
  }
}

const warmUp = async (stand) => {
  for (let i = 0; i < 5; i++) for (const name of ['plain', 'cloned']) await callDuration(stand, name)
}

/** The same measure for each isolation that the machine supports. */
const single = (isolation, label, targets) => ({
  name: isolation === undefined ? 'build' : `build-${isolation}`,
  size: 'none',
  rows: [
    ['plain', `POST to finished, one \`echo\`, ${label}, no clone: median`, 'ms', targets.plain, targets.before?.plain],
    ['plain95', '– 95th percentile', 'ms', targets.plain * 2],
    ['cloned', '– with clone: median', 'ms', targets.cloned, targets.before?.cloned],
    ['cloned95', '– – 95th percentile', 'ms', targets.cloned * 2],
    ['own', '– processor time of the server for one, no clone', 'ms', 15],
    ['ended', '– – and of all that it starts', 'ms', 25],
    ['ownCloned', '– – of the server, with clone', 'ms', 20],
    ['endedCloned', '– – – and of all that it starts', 'ms', 70],
  ],
  how: 'thirty builds one after the other, polled every 2 ms from the POST until `finished` is set; processor time from /proc over twenty more whose end an event reports, including ended children; before: Drone 2.28 with its exec runner, which has no sandbox',
  prepare: async ({ program }) => {
    const stand = await prepareWith(program, isolation)
    await warmUp(stand)
    return stand
  },
  async once(_tools, stand) {
    const times = { plain: [], cloned: [] }
    for (const [name, all] of Object.entries(times))
      for (let i = 0; i < 30; i++) all.push(await callDuration(stand, name))
    const plain = await processorTime(stand, 'plain')
    const cloned = await processorTime(stand, 'cloned')
    return {
      plain: median(times.plain),
      plain95: percentile(times.plain, 0.95),
      cloned: median(times.cloned),
      cloned95: percentile(times.cloned, 0.95),
      own: plain.own,
      ended: plain.ended,
      ownCloned: cloned.own,
      endedCloned: cloned.ended,
    }
  },
  finish,
})

const buildBurst = {
  name: 'crowd',
  size: 'none',
  rows: [
    ['rate', '200 builds posted at once, 6 places: finished a second', '', -45, '19.8'],
    ['post', '– one POST meanwhile: median', 'ms', 8],
    ['post95', '– – 95th percentile', 'ms', 30],
    ['own', '– processor time of the server for each', 'ms', 10],
  ],
  how: '200 POSTs over as many connections without a clone, from the first to the last `finished`; every 100 ms one more POST, timed from request to response; before: Drone 2.28 with its exec runner',
  prepare: async ({ program }) => {
    const stand = await prepareWith(program)
    await warmUp(stand)
    return stand
  },
  async once(_tools, { api, server }) {
    const count = 200
    const posts = []
    const cpu = cpuMs(server.pid)
    const began = performance.now()
    const posted = await Promise.all(Array.from({ length: count }, () => api('plain/builds', 'POST')))
    // The server handles connections in any order: the last request can get an early number.
    const lastPosted = Math.max(...posted.map(({ number }) => number))
    let last = lastPosted
    for (;;) {
      const sent = performance.now()
      last = Math.max(last, (await api('plain/builds', 'POST')).number)
      posts.push(performance.now() - sent)
      await delay(100)
      const [oldest] = (await api('plain/builds?per_page=100')).filter((build) => !isOver(build)).slice(-1)
      // First in, first out: when builds posted later start, these are finished.
      if (!oldest || oldest.number > lastPosted) break
    }
    const done = count + posts.length
    const seconds = (performance.now() - began) / 1000
    const own = (cpuMs(server.pid) - cpu) / done
    while (!isOver(await api(`plain/builds/${last}`))) await delay(20)
    return { rate: count / seconds, post: median(posts), post95: percentile(posts, 0.95), own }
  },
  finish,
}

/**
 * Makes twenty changes at times unrelated to the server's timers. Returns each delay until its
 * event and until it is listed.
 */
async function late(stand, change) {
  const events = await listen(stand)
  const times = []
  for (let i = 0; i < 20; i++) {
    await delay(100 + ((i * 389) % 1500))
    const sha = change.prepare(i)
    const seen = events.until(({ build }) => build.after === sha)
    // Starts when the command that moves the ref has finished.
    await change.move(i, sha)
    const began = performance.now()
    times.push(Math.max(0, (await seen) - began))
  }
  events.close()
  return times
}

const push = {
  name: 'push',
  size: 'none',
  rows: [
    ['push', 'end of `git push` to the build on the page: median', 'ms', 60, '1,111'],
    ['pushMax', '– longest of twenty', 'ms', 150, '1,367'],
    ['moved', 'a ref that is moved (`git update-ref`): median', 'ms', 60],
    ['movedMax', '– longest of twenty', 'ms', 150],
  ],
  how: 'an open event stream, and twenty pushes to a bare repository on this machine, 0.1 to 1.6 s apart; counted from the end of the command',
  prepare: ({ program }) => prepareWith(program),
  async once(_tools, stand) {
    const { work, bare } = stand.places.plain
    const commit = (i) => {
      git(work, 'commit', '-q', '--allow-empty', '-m', `Change ${i}`)
      return git(work, 'rev-parse', 'HEAD')
    }
    const pushed = await late(stand, {
      prepare: commit,
      move: () => git(work, 'push', '-q', 'origin', 'HEAD:main'),
    })
    const moved = await late(stand, {
      prepare(i) {
        const sha = commit(i)
        git(work, 'push', '-q', 'origin', 'HEAD:refs/kept/here')
        return sha
      },
      move: (_i, sha) => git(bare, 'update-ref', 'refs/heads/main', sha),
    })
    return { push: median(pushed), pushMax: Math.max(...pushed), moved: median(moved), movedMax: Math.max(...moved) }
  },
  finish,
}

const idleBuilds = {
  name: 'quiet',
  size: 'none',
  rows: [['share', '10,000 active repositories without pushes: share of one core', '%', 1]],
  how: 'bare repositories of one commit, activated through the API; processor time of the server over 60 s, first two minutes after the last activation, then immediately again',
  async prepare({ program }) {
    const folder = mkdtempSync(join(tmpdir(), 'flightdeck-quiet-'))
    const { bare } = makeRepository(folder, 'r0', false)
    for (let i = 1; i < 10_000; i++) cpSync(bare, join(folder, `repos/acme/r${i}.git`), { recursive: true })
    const server = await startServer(program, { data: join(folder, 'data'), repos: join(folder, 'repos') })
    const headers = { cookie: await signIn(server.origin) }
    for (let i = 0; i < 10_000; i++) {
      const answer = await fetch(`${server.origin}/api/repos/acme/r${i}`, { method: 'POST', headers })
      if (!answer.ok) throw new Error(`r${i}: ${answer.status}`)
    }
    await delay(120_000)
    return { folder, server }
  },
  async once(_tools, { server }) {
    const before = cpuMs(server.pid)
    await delay(60_000)
    return { share: (cpuMs(server.pid) - before) / 600 }
  },
  finish,
}

const counts = (isolation, label) => ({
  name: isolation === undefined ? 'counts' : `counts-${isolation}`,
  size: 'none',
  rows: [
    [
      'programs',
      `counts of one trivial build, ${label}, no clone: programs started`,
      '',
      isolation === 'none' ? 2 : 12,
    ],
    ['forks', '– processes made', '', 20],
    ['files', '– files, folders and links made', '', 10],
    ['transactions', '– transactions that write', '', 7],
    ['bytes', '– kilobytes written by the server', 'kB', 300],
    ['syncs', '– files forced to the disk', '', 1],
    ['programsCloned', '– with clone: programs started', '', 30],
    ['filesCloned', '– – files, folders and links made', '', 60],
  ],
  how: 'five builds under `strace -f` after a warm-up; files counted by successful `open` with O_CREAT of new files, `mkdir`, `mknod`, `symlink`, `link`; transactions by their last frames in SQLite’s log',
  prepare: async ({ program }) => {
    const stand = await prepareWith(program, isolation)
    await warmUp(stand)
    return stand
  },
  async once(_tools, stand) {
    const five = (name) =>
      countCalls(stand.server.pid, stand.folder, 5, async () => {
        for (let i = 0; i < 5; i++) await timeOneCall(stand, name)
      })
    const plain = await five('plain')
    const cloned = await five('cloned')
    console.log(`  programs of one, no clone: ${plain.names}\n  with clone: ${cloned.names}`)
    return { ...plain, programsCloned: cloned.programs, filesCloned: cloned.files }
  },
  finish,
})

/** Polls rarely, because requests are counted as well. */
async function timeOneCall({ api }, name) {
  const { number } = await api(`${name}/builds`, 'POST')
  while (!isOver(await api(`${name}/builds/${number}`))) await delay(100)
  // The work after the end: the workspace is removed, the log compressed.
  await delay(300)
}

export const buildMeasures = [
  single(undefined, 'as it is started', { plain: 40, cloned: 90, before: { plain: '81', cloned: '184' } }),
  single('accounts', 'separate accounts', { plain: 40, cloned: 90 }),
  single('none', 'nothing protected', { plain: 40, cloned: 90 }),
  buildBurst,
  push,
  idleBuilds,
  counts(undefined, 'as it is started'),
  counts('accounts', 'separate accounts'),
  counts('none', 'nothing protected'),
]
