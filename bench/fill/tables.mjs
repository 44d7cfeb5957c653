// Generates repositories, builds, stages and steps with SQL.
import { fillTable, numbers } from './rows.mjs'

/** In seconds; the same in every run, so that runs can be compared. */
export const now = 1_790_000_000

const text = (value) => `'${value.replaceAll("'", "''")}'`

/**
 * Adds repositories `bench/repo-00001` … with ids from `first` on, after `others` earlier ones. The
 * first user has all permissions.
 */
export function fillRepos(db, first, count, others = 0) {
  const name = `printf('repo-%05d', n + ${others})`
  fillTable(
    db,
    'repos',
    {
      repo_id: `${first} + n - 1`,
      repo_uid: `'bench/' || ${name}`,
      repo_user_id: '1',
      repo_namespace: `'bench'`,
      repo_name: name,
      repo_slug: `'bench/' || ${name}`,
      repo_git_http_url: `'https://git.example.com/bench/' || ${name} || '.git'`,
      repo_link: `'https://git.example.com/bench/' || ${name}`,
      repo_default_branch: `'main'`,
      repo_private: '1',
      repo_visibility: `'private'`,
      repo_active: '1',
      repo_config_path: `'.drone.yml'`,
      repo_timeout: '60',
      repo_synced: String(now),
      repo_created: String(now),
      repo_updated: String(now),
      repo_version: '1',
    },
    numbers(count),
  )
  fillTable(
    db,
    'perms',
    { perm_user_id: '1', perm_repo_id: `${first} + n - 1`, perm_read: '1', perm_write: '1', perm_admin: '1' },
    numbers(count),
  )
}

/** The common columns of generated builds: the push of commit `n` by one of forty users. */
export const pushed = {
  build_trigger: `'@hook'`,
  build_event: `'push'`,
  build_link: `printf('https://git.example.com/commit/%040x', n)`,
  build_message: `'Change number ' || n || ' of this made repository'`,
  build_before: `printf('%040x', n - 1)`,
  build_ref: `'refs/heads/main'`,
  build_source: `'main'`,
  build_target: `'main'`,
  build_author_login: `'author-' || (n % 40)`,
  build_author_name: `'Author ' || (n % 40)`,
  build_author_email: `'author' || (n % 40) || '@example.com'`,
  build_sender: `'author-' || (n % 40)`,
  build_version: '3',
}

/** Adds builds with ids from `first` on. `repo` and `number` are expressions of `n`. */
export function fillBuilds(db, first, count, { repo, number }) {
  fillTable(
    db,
    'builds',
    {
      build_id: `${first} + n - 1`,
      build_repo_id: repo,
      build_number: number,
      ...pushed,
      build_status: `case n % 10 when 0 then 'failure' else 'success' end`,
      build_after: `printf('%040x', n * 2654435761)`,
      build_started: `${now - 4_000_000} + n * 3`,
      build_finished: `${now - 4_000_000} + n * 3 + 60 + n % 200`,
      build_created: `${now - 4_000_000} + n * 3 - 5`,
      build_updated: `${now - 4_000_000} + n * 3 + 300`,
    },
    numbers(count),
  )
}

/** Updates the latest build of each repository after builds were added. */
export function updateLatestBuilds(db) {
  db.exec(`
    update repos set
      repo_latest_build_id = ifnull((select build_id from builds where build_repo_id = repo_id order by build_number desc limit 1), 0),
      repo_counter = ifnull((select max(build_number) from builds where build_repo_id = repo_id), 0);
    delete from latest;
    insert into latest (latest_repo_id, latest_kind, latest_name, latest_build_id)
      select repo_id, 'branch', 'main', repo_latest_build_id from repos where repo_latest_build_id > 0;
  `)
}

/**
 * Adds a stage with one step and returns the step's id. `after` has the names of its dependencies.
 */
export function addStage(db, build, number, name, { after = [], status = 'success' } = {}) {
  fillTable(
    db,
    'stages',
    {
      stage_repo_id: `(select build_repo_id from builds where build_id = ${build})`,
      stage_build_id: String(build),
      stage_number: String(number),
      stage_name: text(name),
      stage_kind: `'pipeline'`,
      stage_type: `'exec'`,
      stage_status: text(status),
      stage_os: `'linux'`,
      stage_arch: `'amd64'`,
      stage_started: String(now),
      stage_stopped: String(now + 30),
      stage_version: '1',
      stage_on_success: '1',
      stage_depends_on: text(after.length > 0 ? JSON.stringify(after) : ''),
    },
    numbers(1),
  )
  const stage = db.prepare('select max(stage_id) as id from stages').get().id
  fillTable(
    db,
    'steps',
    {
      step_stage_id: String(stage),
      step_number: '1',
      step_name: `'test'`,
      step_status: text(status),
      step_started: String(now),
      step_stopped: String(now + 30),
      step_version: '1',
    },
    numbers(1),
  )
  return db.prepare('select max(step_id) as id from steps').get().id
}
