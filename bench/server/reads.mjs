// Reads: lists, pages, saved logs.
import { waitUntilIndexed } from '../lib/server.mjs'
import { percentile } from '../lib/stats.mjs'
import { ask, openStream, times } from './ask.mjs'
import { cpuMs, memoryMiB, peakMiB } from './process.mjs'

export const list = '/api/user/repos?latest=true'
const builds = '/api/repos/bench/repo-00001/builds'

/**
 * Calls from `clients` parallel clients without pauses, for `ms` milliseconds; the users take
 * turns.
 */
export async function measureThroughput(people, clients, ms) {
  const end = performance.now() + ms
  let calls = 0
  const client = async (_, number) => {
    while (performance.now() < end) {
      await ask(people[number % people.length], list)
      calls++
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: clients }, client))
  return (calls * 1000) / (performance.now() - began)
}

export const repositoryList = {
  name: 'list',
  size: 'big',
  rows: [
    ['one', 'repository list with latest builds, 10,000 repositories, one client', 'ms', 60, '223'],
    ['wire', '– on the wire', 'MiB', 1.5, '13.5'],
    ['many', '– 16 clients', 'a second', -30, '8'],
    ['same', '– not changed since (`ETag`)', 'ms', 3],
  ],
  how: 'median of twenty calls; bytes of the body on the wire (gzip or br accepted); calls per second of sixteen clients without pause for four seconds; median of fifty calls with `If-None-Match`',
  async once({ person }) {
    const first = await ask(person, list)
    const listTimes = await times(person, list, 20)
    const many = await measureThroughput([person], 16, 4000)
    const { etag } = first.headers
    const same = etag ? await times(person, list, 50, { 'if-none-match': etag }) : Number.NaN
    return { one: listTimes, wire: first.bytes / 1024 / 1024, many, same }
  },
}

export const recent = {
  name: 'recent',
  size: 'big',
  rows: [['time', 'recent builds', 'ms', 3, '76']],
  how: 'median of fifty calls',
  once: async ({ person }) => ({ time: await times(person, '/api/user/builds/recent') }),
}

export const opening = {
  name: 'stream-open',
  size: 'big',
  rows: [
    ['cpu', 'opening `/api/stream` by a user with all repositories: processor time', 'ms', 1, '85'],
    ['memory', '– memory', 'KiB', 50, '2,048'],
  ],
  how: 'two hundred streams are opened and kept; growth of the process’s time and private memory, divided by two hundred',
  async once({ person, server }) {
    const count = 200
    const cpu = cpuMs(server.pid)
    const memory = memoryMiB(server.pid)
    const streams = await Promise.all(
      Array.from({ length: count }, () => openStream(person, '/api/stream', () => undefined)),
    )
    const result = { cpu: (cpuMs(server.pid) - cpu) / count, memory: ((memoryMiB(server.pid) - memory) * 1024) / count }
    for (const stream of streams) stream.close()
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { ...result, memory: Math.max(0, result.memory) }
  },
}

export const pages = {
  name: 'pages',
  size: 'big',
  rows: [
    ['first', 'builds of a repository with 100,000, page 1', 'ms', 1.5, '0.84'],
    ['far', '– page 1000', 'ms', 2.5, '2.3'],
    ['branches', '– branches', 'ms', 1.5, '0.74'],
  ],
  how: 'median of fifty calls each',
  once: async ({ person }) => ({
    first: await times(person, `${builds}?page=1&per_page=50`),
    far: await times(person, `${builds}?page=1000&per_page=50`),
    branches: await times(person, `${builds}/branches`),
  }),
}

export const between = {
  name: 'between',
  size: 'big',
  rows: [['p95', 'a small read while four clients read the list without pause, 95th percentile', 'ms', 60, '1,269']],
  how: '`GET /api/repos/{namespace}/{name}` every 20 ms for five seconds',
  async once({ person }) {
    const small = []
    const load = measureThroughput([person], 4, 5000)
    const end = performance.now() + 4800
    while (performance.now() < end) {
      small.push((await ask(person, '/api/repos/bench/repo-00002')).ms)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await load
    return { p95: percentile(small, 0.95) }
  },
}

export const savedLog = {
  name: 'saved',
  size: 'big',
  rows: [
    ['one', 'saved log of 1,000,000 lines (112 MiB)', 'ms', 300, '278'],
    ['memory', '– added memory, sixteen at once', 'MiB', 16, '300–500'],
  ],
  how: 'compressed, to its last byte; peak private memory of the process while sixteen clients read it, relative to before',
  async once({ person, server }) {
    const path = `${builds}/1/logs/1/1`
    const { ms, status } = await ask(person, path)
    if (status !== 200) throw new Error(`no log: ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const before = memoryMiB(server.pid)
    const { peak } = await peakMiB(server.pid, () => Promise.all(Array.from({ length: 16 }, () => ask(person, path))))
    return { one: ms, memory: peak - before }
  },
}

/**
 * Reads a stream of JSON lines. Returns the milliseconds until the first line of this kind and
 * until the end.
 */
async function readLines(person, path, kind) {
  const began = performance.now()
  const answer = await fetch(person.origin + path, { headers: { cookie: person.cookie } })
  const decoder = new TextDecoder()
  let first = Number.NaN
  for await (const piece of answer.body) {
    if (Number.isNaN(first) && decoder.decode(piece).includes(`"type":"${kind}"`)) first = performance.now() - began
  }
  return { first, all: performance.now() - began }
}

export const found = {
  name: 'found',
  size: 'small',
  rows: [
    ['first', 'search of the last builds, the newest log with 1,000,000 lines: first hits', 'ms', 500, 'nobody'],
    ['all', '– all builds', 's', 10, 'nobody'],
    ['cpu', '– processor time', 's', 8, 'nobody'],
  ],
  how: 'a word in every hundredth line, in all builds of the repository; from the request to the part of the response with the first hit, and to its end',
  async once({ person, server }) {
    const cpu = cpuMs(server.pid)
    const { first, all } = await readLines(person, '/api/repos/bench/repo-00001/search?text=needle', 'found')
    return { first, all: all / 1000, cpu: (cpuMs(server.pid) - cpu) / 1000 }
  },
}

/**
 * Search texts: words of every build, of few and of none, a number, a commit, two words that never
 * occur in this order.
 */
const typed = [
  '7',
  '#100000',
  'fix',
  'parser',
  'pars',
  'build 77',
  'c0ffee',
  'main',
  'user 7',
  'main fix',
  'zebra',
  'ma',
]

export const finding = {
  name: 'search-builds',
  size: 'big',
  rows: [
    ['middle', 'search among 1,000,000 builds: middle of twelve texts', 'ms', 50],
    ['longest', '– longest of them', 'ms', 150],
    ['meanwhile', '– a small read beside a search without end, longest of fifty', 'ms', 50],
  ],
  how: 'each text ten times, median; an older database is indexed first',
  async once({ person }) {
    const search = (text) => `/api/search?text=${encodeURIComponent(text)}`
    await waitUntilIndexed(person)
    const costs = []
    for (const text of typed) costs.push(await times(person, search(text), 10))
    const all = costs.toSorted((a, b) => a - b)
    const until = new AbortController()
    const searching = (async () => {
      while (!until.signal.aborted) await ask(person, search('main zebra'))
    })()
    const small = []
    for (let n = 0; n < 50; n++) small.push((await ask(person, '/api/user')).ms)
    until.abort()
    await searching
    return { middle: all[all.length >> 1], longest: all.at(-1), meanwhile: Math.max(...small) }
  },
}

const everyBuild = 'branch=main&event=push'

export const filtered = {
  name: 'filter-builds',
  size: 'big',
  rows: [
    ['first', 'filter that matches all 100,000 builds of a repository, page 1', 'ms', 15],
    ['far', '– page 1,000', 'ms', 15],
    ['author', '– by one of four authors', 'ms', 15],
    ['nobody', '– by an author without builds: 20,000 builds', 'ms', 15],
    ['none', '– by a text that no build has: 2,000 builds', 'ms', 50],
    ['counts', '– counts of all statuses and events', 'ms', 50],
  ],
  how: 'pages of 50 builds; median of fifty calls each; page 1,000 starts after build 50,050',
  once: async ({ person }) => ({
    first: await times(person, `${builds}/filter?${everyBuild}&per_page=50`),
    far: await times(person, `${builds}/filter?${everyBuild}&per_page=50&before=50050`),
    author: await times(person, `${builds}/filter?author=author-10&per_page=50`),
    nobody: await times(person, `${builds}/filter?author=author-7&per_page=50`),
    none: await times(person, `${builds}/filter?text=zebra&per_page=50`),
    counts: await times(person, `${builds}/counts?${everyBuild}`),
  }),
}
