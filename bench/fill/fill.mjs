// Creates the two data folders for the benchmarks; `node bench/fill/fill.mjs` recreates them.
//   small   50 repositories; builds with logs of 400, 100,000 and 1,000,000 lines and graphs of 60
//           and 500 stages; a git repository whose step prints 10,000 lines a second
//   big     10,000 repositories, 1,000,000 builds (100,000 of them in one repository), a log of
//           1,000,000 lines
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cache, product } from '../lib/product-copy.mjs'
import { signIn, startServer, waitUntilIndexed } from '../lib/server.mjs'
import { writeLog } from './log-text.mjs'
import { openDatabase } from './rows.mjs'
import { addStage, fillBuilds, fillRepos, updateLatestBuilds } from './tables.mjs'

/** Increase these when the generated data changes. */
const editions = { small: 4, big: 4 }

const git = (folder, ...args) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args])

/** The repository that the server builds: one step, which prints the lines. */
function makeRepository(repos) {
  const folder = join(repos, 'bench/live')
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '-q', '-b', 'main')
  copyFileSync(join(import.meta.dirname, 'flood.mjs'), join(folder, 'flood.mjs'))
  const step = `  - name: flood\n    commands:\n      - ${process.execPath} flood.mjs\n`
  writeFileSync(join(folder, '.drone.yml'), `kind: pipeline\ntype: exec\nname: default\n\nsteps:\n${step}`)
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'Print many lines')
  chmodSync(repos, 0o755)
}

/** Lets the server create an empty database. */
async function firstStart(program, data, repos) {
  const server = await startServer(program, { data, repos })
  await server.stop()
}

/** A tree of stages, each of which depends on one or two earlier ones. */
function addGraph(db, build, count) {
  for (let n = 1; n <= count; n++) {
    const after = n <= 4 ? [] : [`stage ${Math.floor(n / 2)}`, ...(n % 5 === 0 ? [`stage ${n - 3}`] : [])]
    addStage(db, build, n, `stage ${n}`, { after })
  }
}

async function makeSmall(program, folder) {
  const [data, repos] = [join(folder, 'data'), join(folder, 'repos')]
  makeRepository(repos)
  await firstStart(program, data, repos)
  const db = openDatabase(data)
  db.exec('begin')
  fillRepos(db, 100, 49)
  fillBuilds(db, 1, 49, { repo: '99 + n', number: '1' })
  fillBuilds(db, 101, 4, { repo: '100', number: 'n + 1' })
  updateLatestBuilds(db)
  const steps = [addStage(db, 101, 1, 'build'), addStage(db, 102, 1, 'build'), addStage(db, 2, 1, 'build')]
  addGraph(db, 103, 60)
  addGraph(db, 104, 500)
  db.exec('commit')
  db.close()
  await writeLog(data, steps[0], 100_000)
  await writeLog(data, steps[1], 1_000_000)
  await writeLog(data, steps[2], 400)
}

async function makeBig(program, folder) {
  const [data, repos] = [join(folder, 'data'), join(folder, 'repos')]
  makeRepository(repos)
  await firstStart(program, data, repos)
  const db = openDatabase(data)
  db.exec('begin')
  fillRepos(db, 100, 10_000)
  // Every tenth build belongs to the first repository.
  fillBuilds(db, 1, 1_000_000, {
    repo: 'case when n % 10 = 0 then 100 else 101 + (n - n / 10 - 1) % 9999 end',
    number: 'case when n % 10 = 0 then n / 10 else (n - n / 10 - 1) / 9999 + 1 end',
  })
  updateLatestBuilds(db)
  // As in a database from before the index: the server indexes the builds.
  db.exec("insert or replace into settings select 'unindexed_builds', max(build_id) from builds")
  const step = addStage(db, 10, 1, 'build')
  db.exec('commit; analyze')
  db.close()
  await writeLog(data, step, 1_000_000)
  await indexBuilds(program, data, repos)
}

/** Lets the server index the builds for the search, and prints how long that took. */
async function indexBuilds(program, data, repos) {
  const server = await startServer(program, { data, repos })
  const began = performance.now()
  await waitUntilIndexed({ origin: server.origin, cookie: await signIn(server.origin) })
  console.log(`Indexed the builds in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  await server.stop()
}

const makers = { small: makeSmall, big: makeBig }

/** The data folder and the repositories of one size, which are created if missing. */
export async function filled(size, { anew = false } = {}) {
  const folder = join(cache, `${size}-${editions[size]}`)
  const proof = join(folder, 'made')
  if (anew || !existsSync(proof)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    console.log(`Making the ${size} data …`)
    await makers[size](product(), folder)
    writeFileSync(proof, '')
  }
  return { data: join(folder, 'data'), repos: join(folder, 'repos') }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const size of Object.keys(makers)) await filled(size, { anew: true })
