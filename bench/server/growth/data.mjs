// Growing data folders: repositories, builds with a stage and a step each, wide builds. Generated
// with SQL, hundreds of thousands a second.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillTable, openDatabase } from '../../fill/rows.mjs'
import { fillRepos, now, pushed } from '../../fill/tables.mjs'
import { cache } from '../../lib/product-copy.mjs'
import { signIn, startServer } from '../../lib/server.mjs'

const maxBuilds = 10_000_000

const git = (folder, ...words) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...words])

/** Pipelines for a runner that does not exist, so that builds wait until they are canceled. */
const pipelines = (count) =>
  Array.from(
    { length: count },
    (_, index) =>
      `kind: pipeline\ntype: exec\nname: part ${index}\nplatform: { os: linux, arch: none }\nsteps:\n- name: greet\n  commands: [echo hello]\n`,
  ).join('---\n')

/** Creates branches `wide-COUNT` with COUNT pipelines. */
function makeRepository(repos, widths) {
  const folder = join(repos, 'bench/live')
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '-q', '-b', 'main')
  for (const width of [...widths, 1]) {
    git(folder, 'checkout', '-q', '-B', width === 1 ? 'main' : `wide-${width}`)
    writeFileSync(join(folder, '.drone.yml'), pipelines(width))
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '--allow-empty', '-m', `Have ${width} pipelines`)
  }
}

const start = (program, { data, repos }) =>
  startServer(program, { data, repos, environment: { FLIGHTDECK_CAPACITY: '1' } })

/**
 * Creates a data folder with one real repository, `bench/live`, and a function that changes it
 * while no server runs.
 */
export async function openStand(program, { widths = [] } = {}) {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'growth-'))
  const places = { folder, data: join(folder, 'data'), repos: join(folder, 'repos') }
  makeRepository(places.repos, widths)
  const server = await start(program, places)
  const answer = await fetch(`${server.origin}/api/repos/bench/live`, {
    method: 'POST',
    headers: { cookie: await signIn(server.origin) },
  })
  if (!answer.ok) throw new Error(`bench/live: ${answer.status}`)
  await server.stop()
  return {
    ...places,
    /** `kept`: builds of `bench/live` after this number are removed. */
    fill(work, kept = 0) {
      const db = openDatabase(places.data)
      const { id } = db.prepare(`select repo_id as id from repos where repo_slug = 'bench/live'`).get()
      db.prepare('delete from builds where build_repo_id = ? and build_number > ?').run(id, kept)
      db.exec('pragma foreign_keys = off; begin')
      work(db, id)
      updateLatestBuilds(db)
      db.exec('commit; analyze; pragma wal_checkpoint(truncate)')
      db.close()
    },
    async run(work) {
      const running = await start(program, places)
      try {
        return await work({ origin: running.origin, cookie: await signIn(running.origin) }, running)
      } finally {
        await running.stop()
      }
    },
  }
}

/** The first id of generated repositories. */
export const firstRepo = 100
export const addRepos = (db, from, to) => {
  const count = to - from
  if (count > 0) fillRepos(db, firstRepo + from, count, from)
}

const range = (from, to) =>
  `(with recursive c(n) as (select ${from + 1} union all select n + 1 from c where n < ${to}) select n from c)`

/**
 * Adds the builds `from`+1 … `to`. Every tenth belongs to `live`, the others to the generated
 * repositories in turn.
 */
export function addBuilds(db, live, repos, from, to) {
  const repo = `case when n % 10 = 0 then ${live} else ${firstRepo} + (n - n / 10 - 1) % ${repos} end`
  const time = `${now} - (${maxBuilds} - n) * 3`
  const offset = db.prepare('select ifnull(max(build_id), 0) as id from builds').get().id - from
  fillTable(
    db,
    'builds',
    {
      build_id: `n + ${offset}`,
      build_repo_id: repo,
      build_number: `case when n % 10 = 0 then n / 10 else (n - n / 10 - 1) / ${repos} + 1 end`,
      ...pushed,
      build_status: `case n % 7 when 0 then 'failure' else 'success' end`,
      build_after: `printf('%040x', n)`,
      build_started: time,
      build_finished: `${time} + 60 + n % 200`,
      build_created: `${time} - 5`,
      build_updated: `${time} + 300`,
    },
    range(from, to),
  )
  const newBuilds = `builds where build_id > ${from + offset}`
  addStages(db, newBuilds, '1')
  // The requested repository needs stored files: the server would read them from git, which does
  // not have the commit.
  const config = { config_build_id: 'build_id', config_data: `'${pipelines(1)}'` }
  fillTable(db, 'configs', config, `${newBuilds} and build_repo_id = ${live}`)
}

function addStages(db, builds, number) {
  const before = db.prepare('select ifnull(max(stage_id), 0) as id from stages').get().id
  fillTable(
    db,
    'stages',
    {
      stage_repo_id: 'build_repo_id',
      stage_build_id: 'build_id',
      stage_number: number,
      stage_name: `'part ' || ${number}`,
      stage_kind: `'pipeline'`,
      stage_type: `'exec'`,
      stage_status: 'build_status',
      stage_os: `'linux'`,
      stage_arch: `'amd64'`,
      stage_started: 'build_started',
      stage_stopped: 'build_finished',
      stage_version: '1',
      stage_on_success: '1',
    },
    builds,
  )
  fillTable(
    db,
    'steps',
    {
      step_stage_id: 'stage_id',
      step_number: '1',
      step_name: `'test'`,
      step_status: 'stage_status',
      step_started: 'stage_started',
      step_stopped: 'stage_stopped',
      step_version: '1',
    },
    `stages where stage_id > ${before}`,
  )
}

/** Replaces the single stage of a build by `count` stages. */
export function widen(db, build, count) {
  db.exec(`delete from stages where stage_build_id = ${build}`)
  addStages(db, `builds, ${range(0, count)} where build_id = ${build}`, 'n')
}

function updateLatestBuilds(db) {
  db.exec(`
    update repos set
      repo_latest_build_id = ifnull((select build_id from builds where build_repo_id = repo_id order by build_number desc limit 1), 0),
      repo_counter = ifnull((select max(build_number) from builds where build_repo_id = repo_id), 0);
    delete from latest;
    insert into latest (latest_repo_id, latest_kind, latest_name, latest_build_id)
      select repo_id, 'branch', 'main', repo_latest_build_id from repos where repo_latest_build_id > 0;
  `)
}
